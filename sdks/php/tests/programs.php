<?php

// Runs the programs of a folder in one process, for the tests of all clients: a JSON object per line with the name of a
// program, answered by one per line with what it prints.

declare(strict_types=1);

while (($line = fgets(STDIN)) !== false) {
    $name = json_decode($line, true, flags: JSON_THROW_ON_ERROR)['call'];
    ob_start();
    try {
        (static fn () => require getcwd() . "/$name.php")();
        $answer = ['result' => ob_get_clean()];
    } catch (Throwable $error) {
        ob_end_clean();
        $answer = ['error' => ['message' => (string) $error]];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
