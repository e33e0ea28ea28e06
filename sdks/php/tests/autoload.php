<?php

// Loads the classes without Composer, which the tests do not need.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../src/' . strtr(substr($class, strlen('Souk\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Souk\\') && is_file($file)) {
        require $file;
    }
});
