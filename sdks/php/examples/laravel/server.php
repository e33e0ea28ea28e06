<?php

// Serves the shop with PHP's own server, without what `composer create-project laravel/laravel` adds: Debian has the
// framework, but no such project.

use App\SoukServiceProvider;
use Illuminate\Config\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

require 'Illuminate/autoload.php';
require __DIR__ . '/../../tests/autoload.php';
require __DIR__ . '/shop.php';

$folder = getcwd();
foreach (['config', 'bootstrap/cache', 'storage/logs'] as $name) {
    is_dir("$folder/$name") || mkdir("$folder/$name", recursive: true);
}
file_put_contents("$folder/config/app.php", '<?php return ' . var_export([
    'env' => 'production',
    'timezone' => 'UTC',
    'providers' => [
        Illuminate\Cache\CacheServiceProvider::class,
        Illuminate\Filesystem\FilesystemServiceProvider::class,
        SoukServiceProvider::class,
    ],
], true) . ';');
file_put_contents("$folder/config/cache.php", '<?php return ' . var_export([
    'default' => 'file',
    'stores' => ['file' => ['driver' => 'file', 'path' => "$folder/storage"]],
], true) . ';');

$app = new Application($folder);
$app->singleton(HttpKernel::class, Kernel::class);
$app->singleton(ExceptionHandler::class, Handler::class);
$app->booted(fn () => Route::prefix('api')->group(__DIR__ . '/routes.php'));

$kernel = $app->make(HttpKernel::class);
$response = $kernel->handle($request = Request::capture());
$response->send();
$kernel->terminate($request, $response);
