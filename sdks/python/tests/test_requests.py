"""What the client sends."""

import json
import unittest
from unittest import mock
from urllib.parse import parse_qsl

from souk import Souk, SoukPlatform, sign
from souk.operations import OPERATIONS
from souk.wire import encode_form


class Timestamps(unittest.TestCase):
    def test_follow_a_clock_that_was_set_back(self) -> None:
        souk = Souk("http://localhost:7070", "a1b2c3d4e5f6g7h", "f" * 48)
        start = 1_700_000_000_000
        timestamps = []
        for operation, ahead in (("tradeclose", 3_600_000), ("tradedetail", 0), ("tradeclose", 0), ("tradeclose", 0)):
            with mock.patch("time.time_ns", lambda: (start + ahead) * 1_000_000):
                timestamps.append(souk._timestamp(OPERATIONS[operation]) - start)
        self.assertEqual(timestamps, [3_600_000, 0, 1, 2])


class LoneSurrogates(unittest.TestCase):
    """JSON can contain half of an emoji, such as of a page that shortened a text."""

    text = json.loads('"Tea \\ud83c"')

    def test_are_sent_and_signed_as_a_question_mark(self) -> None:
        form = encode_form({"text": self.text})
        self.assertEqual(form, "text=Tea%20%3F")
        self.assertEqual(sign(dict(parse_qsl(form)), "secret"), sign({"text": self.text}, "secret"))

    def test_are_stored_as_a_question_mark(self) -> None:
        platform = SoukPlatform("http://localhost:7070", api_key="key")
        with mock.patch("souk.transport.exchange", return_value=(200, {}, b'{"appended":1}')) as exchange:
            platform.append("orders", [{"title": self.text}])
        request = exchange.call_args.args[1]
        self.assertEqual(json.loads(request.data)["records"], [{"title": "Tea ?"}])


if __name__ == "__main__":
    unittest.main()
