<?php

// Executes calls for the tests of all clients: a JSON object per line, answered by one per line.

declare(strict_types=1);

use Souk\AppendInterruptedException;
use Souk\Attempt;
use Souk\AttemptResult;
use Souk\CallbackVerificationException;
use Souk\Model\NewField;
use Souk\NotDelivered;
use Souk\Souk;
use Souk\SoukApiException;
use Souk\SoukConnectionException;
use Souk\SoukPlatform;
use Souk\SoukResponseException;
use Souk\TradeStillProcessingException;

require __DIR__ . '/autoload.php';

// Dates in headers are GMT in every time zone.
date_default_timezone_set('Asia/Riyadh');

$timeout = (float) (getenv('SOUK_TIMEOUT') ?: 5);
$notDelivered = new ArrayObject();
$failsOnNotDelivered = false;
$onNotDelivered = static function (NotDelivered $found) use ($notDelivered, &$failsOnNotDelivered): void {
    // PHP writes an empty array as a list.
    $notDelivered->append(['reasons' => (object) $found->reasons] + get_object_vars($found));
    if ($failsOnNotDelivered) {
        // A failure that the client would retry.
        throw new SoukConnectionException('sendNotify', 'the callback failed', true);
    }
};
$souk = new Souk(
    getenv('SOUK_URL'),
    getenv('SOUK_APPID'),
    getenv('SOUK_SECRET'),
    timeout: $timeout,
    onNotDelivered: $onNotDelivered,
);
$other = new Souk(getenv('SOUK_URL'), getenv('SOUK_APPID'), getenv('SOUK_SECRET'), timeout: $timeout);
$platform = new SoukPlatform(getenv('SOUK_URL'), apiKey: getenv('SOUK_API_KEY'), timeout: $timeout);

$failOnNotDelivered = static function (bool $fails) use (&$failsOnNotDelivered): bool {
    $failsOnNotDelivered = $fails;
    return true;
};

/** @param array<string, mixed> $given */
$call = static fn (string $name, array $given): mixed => match ($name) {
    'notDelivered' => $notDelivered->exchangeArray([]),
    'failOnNotDelivered' => $failOnNotDelivered($given['fails']),
    'fileUpload' => $souk->fileUpload(base64_decode($given['content']), $given['name']),
    'waitForTrade' => $souk->waitForTrade($given['tradeNo'], $given['timeout'] ?? 120, interval: 0.1),
    'atOnce' => atOnce(...$given),
    'secured' => secured(...$given),
    // PHP makes one call after the other.
    'queryAndClose' => [$souk->tradedetail($given['tradeNo']), $other->tradeclose($given['tradeNo'])],
    'notifyTwice' => [$souk->sendNotify(...$given), $other->sendNotify(...$given)],
    'verifyCallback' => $souk->callbacks->verify($given['body'], $given['headers']),
    'verifyRefund' => $souk->callbacks->verifyRefund($given['body'], $given['headers']),
    'createDataset' => $platform->createDataset(...[
        ...$given,
        'fields' => array_map(static fn (array $field) => new NewField(...$field), $given['fields']),
    ]),
    // With "broken", a record follows that is not JSON.
    'append' => $platform->append(
        $given['datasetId'],
        [...$given['records'], ...(isset($given['broken']) ? [['title' => "\xff"]] : [])],
    ),
    'exportRecords' => implode('', iterator_to_array($platform->exportRecords(...$given), false)),
    default => (method_exists($souk, $name) ? $souk : $platform)->$name(...$given),
};

/** @param callable(): mixed $made */
function answer(callable $made): array
{
    try {
        return ['result' => $made()];
    } catch (SoukApiException $error) {
        $answer = ['kind' => 'api', 'status' => $error->status, 'code' => $error->errorCode];
    } catch (SoukResponseException $error) {
        $answer = ['kind' => 'response', 'path' => $error->path];
    } catch (SoukConnectionException $error) {
        $answer = ['kind' => 'connection', 'notSent' => $error->notSent];
    } catch (AppendInterruptedException $error) {
        $answer = ['kind' => 'interrupted', 'appended' => $error->appended];
    } catch (TradeStillProcessingException $error) {
        $answer = ['kind' => 'processing', 'trade' => $error->trade];
    } catch (CallbackVerificationException $error) {
        $answer = ['kind' => 'callback', 'code' => $error->reason];
    }
    $type = (new ReflectionClass($error))->getShortName();
    return ['error' => [...$answer, 'type' => $type, 'message' => $error->getMessage()]];
}

/**
 * Makes a call several times with a new client, one after the other, and returns all answers, with the attempts of all in the
 * first.
 */
function atOnce(string $url, int $timeout, int $times, string $call, string $id, array $options = []): array
{
    $attempts = [];
    $onAttempt = static function (Attempt $attempt) use (&$attempts): \Closure {
        // A header of the client, which stays as it is.
        $attempt->headers = ['traceparent' => "00-$attempt->number", 'ACCEPT' => 'text/html'];
        return static function (AttemptResult $result) use ($attempt, &$attempts): void {
            $attempts[] = [...get_object_vars($attempt), ...get_object_vars($result)];
        };
    };
    $own = ['timeout' => $timeout, 'onAttempt' => $onAttempt];
    $souk = new Souk($url, getenv('SOUK_APPID'), getenv('SOUK_SECRET'), ...$own);
    $platform = new SoukPlatform($url, ...[...$own, 'apiKey' => getenv('SOUK_API_KEY')]);
    $client = ($call === 'tradedetail' ? $souk : $platform)->withOptions(...$options);
    $answers = array_map(static fn () => answer(static fn () => $client->$call($id)), range(1, $times));
    $answers[0]['attempts'] = $attempts;
    return $answers;
}

/** Queries a trade with the certificates and the proxy that are given. */
function secured(string $url, string $id, string ...$given): mixed
{
    $names = ['ca' => CURLOPT_CAINFO, 'cert' => CURLOPT_SSLCERT, 'key' => CURLOPT_SSLKEY, 'proxy' => CURLOPT_PROXY];
    $options = [];
    foreach (array_intersect_key($given, $names) as $name => $value) {
        $options[$names[$name]] = $value;
    }
    return (new Souk($url, getenv('SOUK_APPID'), getenv('SOUK_SECRET'), maxRetries: 0, curlOptions: $options))
        ->tradedetail($id);
}

while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    $answer = answer(static fn () => $call($request['call'], $request['parameters']));
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
