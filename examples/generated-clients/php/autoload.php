<?php
// Debian's Guzzle, and the generated client beside it.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'Roundsman\\')) {
        require __DIR__ . '/generated/lib/' . str_replace('\\', '/', substr($class, 10)) . '.php';
    }
});
