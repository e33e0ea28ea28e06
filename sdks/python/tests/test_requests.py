"""What the client sends."""

import json
import os
import unittest
from unittest import mock
from urllib.parse import parse_qsl

from souk import SoukPlatform, sign, timestamps
from souk.timestamps import next_timestamp
from souk.wire import encode_form


class Timestamps(unittest.TestCase):
    def test_follow_a_clock_that_was_set_back(self) -> None:
        start = 1_700_000_000_000
        times = []
        for ahead in (3_600_000, 0, 0, 0):
            with mock.patch("time.time_ns", lambda: (start + ahead) * 1_000_000):
                times.append(next_timestamp("a1b2c3d4e5f6g7h"))
        self.assertEqual([time - times[0] for time in times], [0, -3_600_000, -3_599_999, -3_599_998])

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_of_a_forked_process_have_their_own_offset(self) -> None:
        reader, writer = os.pipe()
        with mock.patch("secrets.randbelow", lambda limit: 42):
            child = os.fork()
            if child == 0:
                os.write(writer, str(timestamps._offset).encode())
                os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual(os.read(reader, 10), b"42")
        self.assertNotEqual(timestamps._offset, 42)
        os.close(reader)
        os.close(writer)


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
        request = exchange.call_args.args[2]
        self.assertEqual(json.loads(request.data)["records"], [{"title": "Tea ?"}])


if __name__ == "__main__":
    unittest.main()
