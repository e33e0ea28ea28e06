<?php

declare(strict_types=1);

namespace Souk\Tests;

use PHPUnit\Framework\TestCase;
use Souk\Callbacks;
use Souk\CallbackVerificationException;
use Souk\Model\PaymentEvent;
use Souk\Signature;
use Souk\Souk;
use Souk\SoukPlatform;
use Souk\Timestamps;

/** The golden vectors of the contract: signs and callbacks. */
final class VectorsTest extends TestCase
{
    private const APPID = 'a1b2c3d4e5f6g7h';

    /** @return iterable<string, array{array<string, mixed>}> */
    private static function vectors(string $file, string $list): iterable
    {
        $json = file_get_contents(__DIR__ . "/../../../packages/contract/vectors/$file");
        foreach (json_decode($json, true, flags: JSON_THROW_ON_ERROR)[$list] as $vector) {
            yield $vector['name'] => [$vector];
        }
    }

    public static function signs(): iterable
    {
        return self::vectors('sign.json', 'vectors');
    }

    public static function acceptedCallbacks(): iterable
    {
        return self::vectors('callback.json', 'vectors');
    }

    public static function refusedCallbacks(): iterable
    {
        return self::vectors('callback.json', 'refused');
    }

    public static function settings(): iterable
    {
        return self::vectors('callback.json', 'settings');
    }

    /** @dataProvider signs */
    public function testSign(array $vector): void
    {
        $parameters = array_column($vector['parameters'], 1, 0);
        self::assertSame($vector['canonical'], Signature::canonicalString($parameters, $vector['secret']));
        self::assertSame($vector['sign'], Signature::sign($parameters, $vector['secret']));
    }

    public function testFormsEncodeWhatOtherEncodingsLeave(): void
    {
        $form = Signature::encodeForm(['a' => 'b c+d~/*', 'e' => null, 'f' => ['1', '2']]);
        self::assertSame('a=b%20c%2Bd~%2F%2A&e=&f=1%2C2', $form);
    }

    /** @dataProvider acceptedCallbacks */
    public function testAcceptedCallback(array $vector): void
    {
        unset($vector['callback']['sign']);
        self::assertSame($vector['callback'], get_object_vars(self::verify($vector)));
    }

    /** @dataProvider refusedCallbacks */
    public function testRefusedCallback(array $vector): void
    {
        self::assertSame($vector['code'], self::reasonOf(fn () => self::verify($vector)));
    }

    /** @dataProvider settings */
    public function testSettings(array $vector): void
    {
        $callbacks = new Callbacks(
            self::APPID,
            $vector['secret'],
            static fn (): int => $vector['now'],
            $vector['otherSecrets'],
            ($vector['tolerance'] ?? 300_000) / 1000,
        );
        $verify = static fn () => $callbacks->verify($vector['body'], $vector['headers'] ?? []);
        self::assertSame($vector['code'], self::reasonOf($verify));
    }

    /** @testWith [[""], 1.0]
     *            [[], 0.0]
     */
    public function testSettingsOfCallbacksAreChecked(array $otherSecrets, float $tolerance): void
    {
        $this->expectException(\InvalidArgumentException::class);
        new Callbacks(self::APPID, 'secret', null, $otherSecrets, $tolerance);
    }

    public function testHeadersVouchForAnotherActiveSecret(): void
    {
        [$vector] = [...self::acceptedCallbacks()]['succeeded'];
        $other = new Callbacks(self::APPID, str_repeat('f', 48), static fn (): int => $vector['now']);
        $verify = static fn () => $other->verify($vector['body'], $vector['headers']);
        self::assertSame('sign_mismatch', self::reasonOf($verify));

        [$body, $headers] = $other->signTestCallback();
        self::assertSame('test-order', $other->verify($body, $headers)->outTradeNo);
        $foreignSign = str_replace('sign=', 'sign=0', $body);
        self::assertSame('sign_mismatch', self::reasonOf(static fn () => $other->verify($foreignSign, $headers)));
    }

    public function testEachTestCallbackHasItsOwnNotifyId(): void
    {
        $callbacks = new Callbacks(self::APPID, 'secret');
        $ids = array_map(static fn () => $callbacks->signTestCallback()[1]['webhook-id'], [1, 2]);
        self::assertNotSame($ids[0], $ids[1]);
    }

    public function testInvalidEncodingsAreMalformed(): void
    {
        $callbacks = new Callbacks(self::APPID, 'secret');
        foreach (['sign=%', 'sign=%2', 'sign=%zz', 'sign=%ff', "sign=\xff", 'sign=%c0%80', 'sign', 'a=1&&sign=1'] as $body) {
            self::assertSame('callback_malformed', self::reasonOf(static fn () => $callbacks->verify($body)), $body);
        }
        self::assertSame('body_missing', self::reasonOf(static fn () => $callbacks->verify('')));
    }

    public function testResponsesSayWhetherACallbackIsAcknowledged(): void
    {
        $callbacks = new Callbacks(self::APPID, 'secret');
        [$body, $headers] = $callbacks->signTestCallback(['outTradeNo' => 'A-1']);
        $orders = [];
        $settle = static function (PaymentEvent $event) use (&$orders): void {
            $orders[] = $event->outTradeNo;
        };
        self::assertSame([200, 'success', null], $callbacks->respond($body, $headers, $settle));
        self::assertSame(['A-1'], $orders);
        self::assertSame(400, $callbacks->respond('a=1', [], $settle)[0]);
        $fail = static fn () => throw new \RuntimeException('The database is down');
        self::assertSame([500, 'fail'], array_slice($callbacks->respond($body, $headers, $fail), 0, 2));
    }

    /** @testWith ["http://localhost/neuopenapi", "secret"]
     *            ["localhost:7070", "secret"]
     *            ["http://localhost:7070", "secret\n"]
     *            ["http://localhost:7070", ""]
     */
    public function testSettingsAreChecked(string $baseUrl, string $secret): void
    {
        $this->expectException(\InvalidArgumentException::class);
        new Souk($baseUrl, self::APPID, $secret);
    }

    public function testCallbacksNeedASecret(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        new Callbacks(self::APPID, '');
    }

    public function testTimestampsFollowAClockThatWasSetBack(): void
    {
        $now = (int) (microtime(true) * 1000);
        $later = Timestamps::next(self::APPID, $now + 3_600_000);
        self::assertSame($later - 3_600_000, Timestamps::next(self::APPID, $now));
        self::assertSame($later - 3_599_999, Timestamps::next(self::APPID, $now));
        self::assertSame($later - 3_600_000, Timestamps::next('other', $now));
        self::assertSame($later - 3_599_998, Timestamps::next(self::APPID, $now));
    }

    public function testOneCredentialIsNeeded(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        new SoukPlatform('http://localhost:7070', apiKey: 'a', token: 'b');
    }

    public function testKeysThatCannotBeSentAreRefused(): void
    {
        $this->expectExceptionMessage('apiKey contains a character that cannot be sent in a header');
        new SoukPlatform('http://localhost:7070', apiKey: "a\nb");
    }

    public function testConnectionErrorsDoNotContainThePasswordOfAnAddress(): void
    {
        // A port that nothing listens on.
        $souk = new Souk('http://user:hidden@127.0.0.1:9', self::APPID, 'secret', maxRetries: 0);
        $this->expectExceptionMessage('that baseUrl is correct: http://127.0.0.1:9.');
        $souk->accessToken('code');
    }

    public function testErrorsOfSettingsDoNotContainThePasswordOfAnAddress(): void
    {
        foreach (['http://user:hidden@a/neuopenapi', 'ftp://user:hidden@a', 'http://user:hid/den@a', 'user:hidden@a'] as $url) {
            try {
                new Souk($url, self::APPID, 'secret');
                self::fail("$url was accepted");
            } catch (\InvalidArgumentException $error) {
                self::assertMatchesRegularExpression('~not (…@|http://)a~', $error->getMessage());
                self::assertStringNotContainsString('hid', $error->getMessage());
            }
        }
        new Souk('HTTP://localhost:7070', self::APPID, 'secret');
    }

    /** @requires PHP 8.2 */
    public function testTracesDoNotContainTheSecret(): void
    {
        // The defaults of PHP; distributions have others.
        $before = [
            'zend.exception_ignore_args' => ini_set('zend.exception_ignore_args', '0'),
            'zend.exception_string_param_max_len' => ini_set('zend.exception_string_param_max_len', '15'),
        ];
        try {
            new Souk('http://localhost:7070', self::APPID, "f4d9adc2fcfb9e33\n");
            $this->fail('The secret was accepted.');
        } catch (\InvalidArgumentException $error) {
            $this->assertStringNotContainsString('f4d9', $error->getTraceAsString());
        } finally {
            array_map('ini_set', array_keys($before), $before);
        }
    }

    /** @param array<string, mixed> $vector */
    private static function verify(array $vector): PaymentEvent
    {
        $callbacks = new Callbacks(self::APPID, $vector['secret'], static fn (): int => $vector['now']);
        return $callbacks->verify($vector['body'], $vector['headers'] ?? []);
    }

    private static function reasonOf(callable $verify): ?string
    {
        try {
            $verify();
        } catch (CallbackVerificationException $error) {
            return $error->reason;
        }
        return null;
    }
}
