"""The golden vectors of the contract: signs and callbacks."""

import json
import unittest
from pathlib import Path

from souk import Callbacks, CallbackVerificationError, Souk, SoukPlatform, canonical_string, sign
from souk.wire import encode_form, snake_case

VECTORS = Path(__file__).parents[3] / "packages/contract/vectors"


class Signs(unittest.TestCase):
    def test_every_vector(self) -> None:
        for vector in json.loads((VECTORS / "sign.json").read_text())["vectors"]:
            with self.subTest(vector["name"]):
                parameters = dict(vector["parameters"])
                self.assertEqual(canonical_string(parameters, vector["secret"]), vector["canonical"])
                self.assertEqual(sign(parameters, vector["secret"]), vector["sign"])

    def test_a_form_encodes_what_other_encodings_leave(self) -> None:
        self.assertEqual(encode_form({"a": "b c+d~/", "e": None, "f": ["1", "2"]}), "a=b%20c%2Bd~%2F&e=&f=1%2C2")


class CallbackVectors(unittest.TestCase):
    def verify(self, vector: dict) -> object:
        appid = "a1b2c3d4e5f6g7h"
        callbacks = Callbacks(appid, vector["secret"], lambda: vector["now"] / 1000)
        return callbacks.verify(vector["body"].encode(), vector.get("headers"))

    def test_every_vector(self) -> None:
        for vector in json.loads((VECTORS / "callback.json").read_text())["vectors"]:
            with self.subTest(vector["name"]):
                event = vars(self.verify(vector))
                expected = {snake_case(name): value for name, value in vector["callback"].items()}
                expected.pop("sign", None)
                self.assertEqual(event, expected)

    def test_every_refused_body(self) -> None:
        for vector in json.loads((VECTORS / "callback.json").read_text())["refused"]:
            with self.subTest(vector["name"]):
                with self.assertRaises(CallbackVerificationError) as caught:
                    self.verify(vector)
                self.assertEqual(caught.exception.reason, vector["code"])

    def test_every_setting(self) -> None:
        for vector in json.loads((VECTORS / "callback.json").read_text())["settings"]:
            with self.subTest(vector["name"]):
                callbacks = Callbacks(
                    "a1b2c3d4e5f6g7h",
                    vector["secret"],
                    lambda: vector["now"] / 1000,
                    other_secrets=vector["otherSecrets"],
                    tolerance=vector.get("tolerance", 300_000) / 1000,
                )
                try:
                    callbacks.verify(vector["body"].encode(), vector.get("headers"))
                    code = None
                except CallbackVerificationError as error:
                    code = error.reason
                self.assertEqual(code, vector["code"])

    def test_settings_are_checked(self) -> None:
        for settings in ({"other_secrets": [""]}, {"other_secrets": "f" * 48}, {"tolerance": 0.0}):
            with self.assertRaises(ValueError):
                Callbacks("a1b2c3d4e5f6g7h", "f" * 48, **settings)

    def test_each_test_callback_has_its_own_notify_id(self) -> None:
        callbacks = Callbacks("a1b2c3d4e5f6g7h", "f" * 48)
        ids = [callbacks.sign_test_callback()[1]["webhook-id"] for _ in range(2)]
        self.assertNotEqual(*ids)

    def test_an_empty_secret_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            Callbacks("a1b2c3d4e5f6g7h", "")

    def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(self) -> None:
        for options in ({"api_key": "souk_a\nsouk_b"}, {"token": "souk_…"}):
            with self.assertRaises(ValueError) as caught:
                SoukPlatform("http://localhost:7070", **options)
            self.assertNotIn("souk_", str(caught.exception))

    def test_an_address_with_a_password_is_refused_without_showing_it(self) -> None:
        with self.assertRaises(ValueError) as caught:
            Souk("http://user:hidden@localhost:7070", "a1b2c3d4e5f6g7h", "f" * 48)
        self.assertIn("base_url contains a user name or a password", str(caught.exception))
        self.assertNotIn("hidden", str(caught.exception))
        for url in ("HTTP://user:hidden@a", "ftp://user:hidden@a", "http://user:hid/den@a", "user:hidden@a:7070"):
            with self.assertRaises(ValueError) as caught:
                Souk(url, "a1b2c3d4e5f6g7h", "f" * 48)
            self.assertNotRegex(str(caught.exception), "hid")

    def test_the_scheme_of_an_address_may_have_capitals(self) -> None:
        Souk("HTTP://localhost:7070", "a1b2c3d4e5f6g7h", "f" * 48)

    def test_the_headers_vouch_for_another_active_secret(self) -> None:
        vector = json.loads((VECTORS / "callback.json").read_text())["vectors"][0]
        other = Callbacks("a1b2c3d4e5f6g7h", "f" * 48, lambda: vector["now"] / 1000)
        with self.assertRaises(CallbackVerificationError) as caught:
            other.verify(vector["body"].encode(), vector["headers"])
        self.assertEqual(caught.exception.reason, "sign_mismatch")

        body, headers = other.sign_test_callback()
        foreign_sign = body.replace(b"sign=", b"sign=0")
        self.assertEqual(other.verify(body, headers).out_trade_no, "test-order")
        with self.assertRaises(CallbackVerificationError):
            other.verify(foreign_sign, headers)


if __name__ == "__main__":
    unittest.main()
