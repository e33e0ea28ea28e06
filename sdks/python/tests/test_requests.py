"""What the client sends."""

import unittest
from unittest import mock

from souk import Souk
from souk.operations import OPERATIONS


class Timestamps(unittest.TestCase):
    def test_follow_a_clock_that_was_set_back(self) -> None:
        souk = Souk("http://localhost:7070", "a1b2c3d4e5f6g7h", "f" * 48)
        start = 1_700_000_000_000
        timestamps = []
        for operation, ahead in (("tradeclose", 3_600_000), ("tradedetail", 0), ("tradeclose", 0), ("tradeclose", 0)):
            with mock.patch("time.time_ns", lambda: (start + ahead) * 1_000_000):
                timestamps.append(souk._timestamp(OPERATIONS[operation]) - start)
        self.assertEqual(timestamps, [3_600_000, 0, 1, 2])


if __name__ == "__main__":
    unittest.main()
