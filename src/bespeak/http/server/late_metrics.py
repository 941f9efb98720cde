"""Metrics that are counted with each request. A worker adds up what it counts, and writes it once a
second: each write goes to a file that all processes of the server share, which cost a request more
than to judge a hold. It is for one event loop a process: no lock is taken, so whoever counts or
writes from another thread would lose what is counted between.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left

from prometheus_client import Counter, Histogram
from prometheus_client.metrics import MetricWrapperBase


class _Late(MetricWrapperBase):
    """A metric with labels, which is written when it is told to."""

    def write(self) -> None:
        """Writes what was counted since the last time, under each of its labels."""
        for labelled in list[object](self._metrics.values()):
            if isinstance(labelled, _Late):
                labelled.write_own()

    @abstractmethod
    def write_own(self) -> None:
        """Writes what was counted under these labels."""


class LateCounter(_Late, Counter):
    """A counter that is written late."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self._late = 0.0

    def inc(self, amount: float = 1, exemplar: dict[str, str] | None = None) -> None:
        """Adds to what is to be written."""
        self._late += amount

    def write_own(self) -> None:
        late, self._late = self._late, 0.0
        if late:
            super().inc(late)


class LateHistogram(_Late, Histogram):
    """A histogram that is written late."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self._late_sum = 0.0
        self._late_counts = [0] * len(self._upper_bounds)

    def observe(self, amount: float, exemplar: dict[str, str] | None = None) -> None:
        """Adds to what is to be written."""
        self._late_sum += amount
        self._late_counts[bisect_left(self._upper_bounds, amount)] += 1

    def write_own(self) -> None:
        for bucket, count in enumerate(self._late_counts):
            if count:
                self._late_counts[bucket] = 0
                self._buckets[bucket].inc(count)
        late, self._late_sum = self._late_sum, 0.0
        if late:
            self._sum.inc(late)
