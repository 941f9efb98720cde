"""The tree, read and parsed once for all rules of a worker."""

import pytest

from tests.style.tree import SourceFile, tracked_files


@pytest.fixture(scope="package")
def files() -> list[SourceFile]:
    """Every file that the house style speaks about. They are forgotten after the tests of this
    folder: their syntax trees take 200 MB."""
    return tracked_files()
