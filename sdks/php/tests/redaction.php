<?php

// Prints every public object and every error in every way that PHP has, for the tests of all clients. The variable
// REDACTION has the settings as JSON. Each line of the output is a JSON object.

declare(strict_types=1);

use Souk\Attempt;
use Souk\AttemptResult;
use Souk\Callbacks;
use Souk\NotDelivered;
use Souk\Page;
use Souk\Souk;
use Souk\SoukPlatform;

require __DIR__ . '/autoload.php';

$given = json_decode(getenv('REDACTION'), true, flags: JSON_THROW_ON_ERROR);

/** @return array<string, string> */
function textsOf(#[\SensitiveParameter] mixed $value): array
{
    ob_start();
    var_dump($value);
    $dumped = ob_get_clean();
    $texts = [
        'var_dump' => $dumped,
        'print_r' => print_r($value, true),
        'nested' => print_r([(object) ['value' => $value]], true),
    ];
    if (!is_object($value) || !str_starts_with($value::class, 'Souk\Model') && !$value instanceof Page) {
        // Those of models are data, which programs store and pass on.
        $texts['var_export'] = var_export($value, true);
        $texts['json_encode'] = (string) json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR);
        $texts['array'] = print_r(is_object($value) ? (array) $value : $value, true);
        try {
            $texts['serialize'] = serialize($value);
        } catch (\Throwable) {
            // Closures cannot be serialized.
        }
    }
    for ($error = $value; $error instanceof \Throwable; $error = $error->getPrevious()) {
        $texts['string'] = ($texts['string'] ?? '') . $error;
        $texts['trace'] = ($texts['trace'] ?? '') . $error->getTraceAsString() . print_r($error->getTrace(), true);
        $texts['message'] = ($texts['message'] ?? '') . $error->getMessage();
    }
    return $texts;
}

function show(string $about, #[\SensitiveParameter] mixed $value): void
{
    $type = is_object($value) ? (new ReflectionClass($value))->getShortName() : gettype($value);
    $texts = array_map(static fn (string $text): string => mb_scrub($text, 'UTF-8'), textsOf($value));
    echo json_encode(['about' => $about, 'type' => $type, 'texts' => $texts], JSON_THROW_ON_ERROR), "\n";
}

function attempt(string $about, #[\SensitiveParameter] \Closure $call): mixed
{
    try {
        return $call();
    } catch (\Throwable $error) {
        show($about, $error);
        return null;
    }
}

/** @param array<string, mixed> $given */
function callAll(string $name, #[\SensitiveParameter] string $url, #[\SensitiveParameter] array $given): void
{
    ['secrets' => $secrets, 'appid' => $appid, 'tradeNo' => $tradeNo] = $given;
    $timeout = $given['timeouts'][$name] ?? 20.0;
    $souk = attempt("Souk $name", static fn () => new Souk($url, $appid, $secrets['secret'], $timeout, 0));
    if ($souk !== null) {
        show("client $name", $souk);
        attempt("accessToken $name", static fn () => $souk->accessToken($secrets['code']));
        attempt("userInfo $name", static fn () => $souk->userInfo($secrets['accessToken']));
        attempt("tradedetail $name", static fn () => $souk->tradedetail($tradeNo));
        attempt("tradeclose $name", static fn () => $souk->tradeclose($tradeNo));
        attempt("fileUpload $name", static fn () => $souk->fileUpload('12345678'));
        attempt("waitForTrade $name", static fn () => $souk->waitForTrade($tradeNo, 0));
    }
    foreach (['apiKey', 'token'] as $kind) {
        $platform = attempt("SoukPlatform $name", static fn () => new SoukPlatform(
            $url,
            ...[$kind => $secrets[$kind]],
            timeout: $timeout,
            maxRetries: 0,
        ));
        if ($platform !== null) {
            show("platform $name", $platform);
            attempt("whoAmI $name", static fn () => $platform->whoAmI());
            attempt("append $name", static fn () => $platform->append('d', array_fill(0, 1001, ['title' => 'tea'])));
            attempt("export $name", static fn () => iterator_to_array($platform->exportRecords('d'), false));
        }
    }
}

/**
 * Returns an object of a class whose secret fields, or all fields, are marked.
 *
 * @param array<string, mixed> $given
 */
function filled(ReflectionClass $class, #[\SensitiveParameter] array $given, bool $isSecret = false): object
{
    $values = [];
    foreach ($class->getConstructor()->getParameters() as $parameter) {
        $name = $parameter->getName();
        $isMarked = $isSecret || in_array($name, $given['models'][$class->getShortName()] ?? [], true);
        $text = $isMarked ? "{$given['marker']}text" : 'text';
        $number = $isMarked ? $given['number'] : 1;
        $type = $parameter->getType()->getName();
        $values[$name] = match ($type) {
            'string', 'mixed' => $text,
            'int' => $number,
            'float' => $number + 0.5,
            'bool' => true,
            'array' => [$text => $number],
            default => filled(new ReflectionClass($type), $given, $isMarked),
        };
    }
    return $class->newInstance(...$values);
}

foreach ($given['urls'] as $name => $url) {
    callAll($name, $url, $given);
}
foreach ($given['invalidUrls'] as $index => $url) {
    callAll("invalid $index", $url, $given);
}
foreach (["{$given['secrets']['secret']}\n", " {$given['secrets']['secret']}"] as $wrong) {
    attempt('Souk secret', static fn () => new Souk('http://localhost', $given['appid'], $wrong));
    attempt('SoukPlatform apiKey', static fn () => new SoukPlatform('http://localhost', apiKey: $wrong));
    attempt('SoukPlatform token', static fn () => new SoukPlatform('http://localhost', token: $wrong));
}
$callbacks = new Callbacks($given['appid'], $given['secrets']['secret'], null, [$given['secrets']['secret']]);
show('callbacks', $callbacks);
foreach ($given['callbacks'] as $body) {
    attempt('callback', static fn () => $callbacks->verify($body));
    show('response', $callbacks->respond($body, [], static fn () => null));
}
show('attempt', new Attempt('trade', 'POST', 'http://localhost', '/', 1, null));
show('attempt result', new AttemptResult(200, 1.0, '1', null));
show('not delivered', new NotDelivered(1, ['off' => 1], 'sendNotify'));
foreach (glob(__DIR__ . '/../src/{,Model/}*.php', GLOB_BRACE) as $path) {
    $folder = basename(dirname($path)) === 'Model' ? 'Model\\' : '';
    $class = new ReflectionClass('Souk\\' . $folder . basename($path, '.php'));
    if ($folder !== '' && $class->getConstructor() !== null) {
        show('model', filled($class, $given));
        show('page', new Page([filled($class, $given)], null));
    } elseif ($class->isAbstract() || $class->getConstructor() === null || str_contains((string) $class->getDocComment(), '@internal')) {
        echo json_encode(['about' => 'class', 'type' => $class->getShortName(), 'texts' => new stdClass()]), "\n";
    }
}
