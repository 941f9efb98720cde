"""What is counted late is counted the same: one series after the other, nothing twice."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from bespeak.http.server.late_metrics import LateCounter, LateHistogram

BUCKETS = (0.001, 0.01, 0.1, 1)
SECONDS = (0.0005, 0.001, 0.0011, 0.05, 0.1, 7, 1, 0.3)


def samples(registry: CollectorRegistry) -> list[str]:
    """The lines of a registry but for when each series began."""
    lines = generate_latest(registry).decode().splitlines()
    return [line for line in lines if "_created" not in line]


def test_a_counter_is_written_as_the_library_counts() -> None:
    plain, late = CollectorRegistry(), CollectorRegistry()
    one = Counter("asked", "How often.", ["outcome"], registry=plain)
    other = LateCounter("asked", "How often.", ["outcome"], registry=late)
    for number in range(7):
        outcome = "held" if number % 3 else "taken"
        one.labels(outcome).inc()
        other.labels(outcome).inc()
    assert samples(late) != samples(plain), "nothing is written before it is told to"
    other.write()
    other.write()
    assert samples(late) == samples(plain)
    one.labels("held").inc(3)
    other.labels("held").inc(3)
    other.write()
    assert samples(late) == samples(plain)


def test_a_histogram_is_written_as_the_library_observes() -> None:
    plain, late = CollectorRegistry(), CollectorRegistry()
    one = Histogram("took", "Seconds.", ["path"], buckets=BUCKETS, registry=plain)
    other = LateHistogram("took", "Seconds.", ["path"], buckets=BUCKETS, registry=late)
    for turn in range(2):
        for seconds in SECONDS:
            one.labels(f"/{turn}").observe(seconds)
            other.labels(f"/{turn}").observe(seconds)
        assert samples(late) != samples(plain)
        other.write()
        other.write()
        assert samples(late) == samples(plain)
