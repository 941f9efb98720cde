"""The cases by name, each with its goal. A case takes the bench and gives its figures."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module

from benchmarks.results import Bench, Figure


@dataclass(frozen=True)
class Case:
    """One benchmark; its module is imported when it runs, so that one can fail alone."""

    title: str
    goal: str
    module: str
    function: str = "run"

    async def run(self, bench: Bench) -> list[Figure]:
        """Measure."""
        measure: Callable[[Bench], Awaitable[list[Figure]]] = getattr(
            import_module(f"benchmarks.cases.{self.module}"), self.function
        )
        return await measure(bench)


CASES = {
    "http-holds": Case(
        "Two-seat holds over HTTP, against select for update",
        "12 x for_update, aiming at 6,000/s, p99 under 60 ms", "http_holds", "against_ordinary",
    ),
    "http-holds-vs-lean": Case(
        "Two-seat holds over HTTP, against the leanest rival",
        "3 x lean", "http_holds", "against_lean",
    ),
    "http-holds-few": Case(
        "Two-seat holds over HTTP of 16 buyers, and of one",
        "12 x for_update, 1.3 x lean; alone 1.2 x the time of lean", "http_holds", "against_few",
    ),
    "http-holds-vs-bare": Case(
        "Two-seat holds over HTTP, against an answer that does nothing",
        "0.6 of it", "http_holds", "against_nothing",
    ),
    "http-batches": Case(
        "Batches of 500 two-seat holds over HTTP, against one by one",
        "3 x one by one over 4 connections", "http_batches",
    ),
    "http-beside-batches": Case(
        "A single hold over HTTP beside batches, against a crowd of 16",
        "p50 at most 2 x, p99 at most 3 x", "http_batches", "beside",
    ),
    "http-holds-strategies": Case(
        "Two-seat holds over HTTP, against the other strategies",
        "none: the figures of the decision guide", "http_holds", "against_strategies",
    ),
    "engine-holds": Case(
        "Two-seat holds in process", "15,000/s and 6 x one transaction each", "engine_holds",
    ),
    "sync-holds": Case(
        "Holds without an event loop", "0.7 x one transaction through psycopg", "sync_holds",
    ),
    "sql-hold": Case(
        "A hold by the SQL form, in halls of ten and of 10,000 seats",
        "p50 under 1 ms, and the same in both", "sql_hold",
    ),
    "hold-features": Case(
        "What each feature costs a hold, in process", "none: the table", "hold_features",
    ),
    "hold-features-http": Case(
        "What keys, sessions and passes cost a hold over HTTP", "none: the table",
        "hold_features_http",
    ),
    "bulk-edit": Case(
        "Holds in process while 300 shows are edited", "90 % of the holds without it", "bulk_edit",
    ),
    "stuck-seats": Case(
        "Holds in process while a seat of each show is locked", "the p99 without it", "stuck_seats",
    ),
    "http-pairs": Case("Hold, then confirm, over HTTP", "2,500 pairs/s", "http_pairs"),
    "purchases": Case(
        "Hold, pay at the sandbox, confirmed, over HTTP", "1,200 whole purchases/s", "purchases",
    ),
    "hot-seat": Case(
        "10,000 buyers, one seat",
        "one winner, under 2 % reach the database, 8,000 refusals/s", "hot_seat",
    ),
    "hot-choices": Case(
        "10,000 buyers leave a choice open of which nothing is left",
        "1,500 refusals/s, under 15 transactions for a hundred", "hot_choices",
    ),
    "hot-pool": Case("One pool of 50,000", "8,000 holds/s, never over", "hot_pool"),
    "shapes": Case(
        "Every shape of inventory, in process",
        "8,000/s for a stay of 7 nights and a seat over 6 legs", "shapes",
    ),
    "range-costs": Case(
        "What a hold of a range costs, against an exclusion constraint",
        "1.5 x less processor time", "range_costs",
    ),
    "group": Case("50 rooms for 5 nights in one hold", "p50 under 30 ms", "shapes", "group"),
    "calendar": Case(
        "The month calendar of a room type", "p50 under 1 ms", "shapes", "calendar",
    ),
    "best": Case(
        "The best two seats", "p50 under 2 ms of 20,000, under 0.2 ms of 300", "seat_map", "best",
    ),
    "seat-map": Case(
        "The availability of 20,000 seats over HTTP, one worker",
        "1,500/s, and 4,000 304s/s", "seat_map", "availability",
    ),
    "search": Case(
        "Searching 20,000 listings in process, against one statement", "20 x as many", "search",
    ),
    "search-dense": Case(
        "Searching 100,000 listings in as many towns in process, against one statement",
        "20 x as many", "search", "dense",
    ),
    "search-postgis": Case(
        "Searching the same listings in process, against PostGIS of Debian's packages",
        "20 x as many", "search_postgis",
    ),
    "search-opensearch": Case(
        "Searching the same listings in process, against one OpenSearch node",
        "10 x as many", "search_opensearch",
    ),
    "search-http": Case(
        "Searching 20,000 and 100,000 listings over HTTP, one worker of a search server",
        "3,000/s", "search_http",
    ),
    "search-outage": Case(
        "Searches while a worker and the database are killed",
        "all answered, a booking seen within 1 s", "search_outage",
    ),
    "search-memory": Case(
        "The index of 100,000 and of a million listings in two workers, from one snapshot",
        "100 MB a worker besides, from a snapshot in 5 s, 1.2 times as slow with ten times as many",
        "search_memory",
    ),
    "search-large": Case(
        "The same with ten million listings (16 GB of memory, 10 GB of disk, half an hour)",
        "1 GB shared, 100 MB a worker besides, from a snapshot in 5 s", "search_memory", "large",
    ),
    "queue": Case(
        "A waiting room with 14 million people in it, and a simulated rush",
        "8,000 joins/s, 12,000 answers/s a worker, 64 MB, under 5 % get nothing", "queue",
    ),
    "waitlist": Case(
        "From a freed seat to the next offer, 1,000 parties waiting, 20 cancellations a second",
        "p99 under 1 s", "waitlist",
    ),
    "viewers": Case(
        "5,000 viewers of a show, live, on one worker",
        "p99 under 300 ms, under 30 kB a viewer", "viewers",
    ),
    "race-300": Case(
        "2,000 buyers race for 300 seats", "sold out 8 x sooner than for_update", "race_300",
    ),
    "hoarder": Case(
        "Places that buyers have beside a hoarder behind 1, 10 and 100 addresses",
        "285 of 300", "hoarder",
    ),
    "overload": Case(
        "2,000, then 8,000 connections", "90 % of the peak, memory flat", "overload",
    ),
    "feed-latency": Case(
        "A follower of the feed at 2,000 events/s",
        "p99 under 100 ms, and under 1,500 ms where the leader is killed", "feed_latency",
    ),
    "webhooks": Case(
        "Webhooks behind the feed, one endpoint",
        "2,000 events/s told within a second", "webhooks",
    ),
    "relay": Case(
        "The feed to Kafka, also over ten kills",
        "5,000 events/s, none lost and none out of order", "relay",
    ),
    "stadium": Case(
        "A stadium is called off: 100,000 refunds, a kill in the middle",
        "none missing, none twice", "stadium",
    ),
    "growth": Case("100,000 and 10 million claims", "p50 at most 1.3 x", "growth"),
    "long-life": Case(
        "Many million holds came and went", "hold and sweeper at most 1.3 x", "long_life",
    ),
    "start": Case("bespeak demo from nothing", "3 s to the first page, 250 MB idle", "start"),
    "replicas": Case(
        "Holds in process with a standby: none, asynchronous, synchronous",
        "none: the figures of the guide", "replicas",
    ),
}  # fmt: skip
