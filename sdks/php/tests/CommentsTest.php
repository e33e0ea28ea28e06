<?php

declare(strict_types=1);

namespace Souk\Tests;

use PHPUnit\Framework\TestCase;

/** Everything that the client makes public has a comment. */
final class CommentsTest extends TestCase
{
    public function testEverythingPublicHasAComment(): void
    {
        $missing = [];
        $seen = 0;
        foreach (self::classes() as $class) {
            if (str_contains($class->getDocComment() ?: '', '@internal')) {
                continue;
            }
            $declared = fn ($member): bool => $member->getDeclaringClass()->getName() === $class->getName();
            $constructor = $class->getConstructor()?->getDocComment() ?: '';
            $comments = [$class->getShortName() => $class->getDocComment()];
            foreach (array_filter($class->getReflectionConstants(), $declared) as $constant) {
                if ($constant->isPublic()) {
                    $comments["{$class->getShortName()}::{$constant->getName()}"] = $constant->getDocComment();
                }
            }
            foreach (array_filter($class->getProperties(\ReflectionProperty::IS_PUBLIC), $declared) as $property) {
                $name = $property->getName();
                $parameter = preg_match("/@param [^$]+\\$$name\s+[^\s*@]/", $constructor) === 1;
                $comments["{$class->getShortName()}::\$$name"] = $property->getDocComment() ?: $parameter;
            }
            foreach (array_filter($class->getMethods(\ReflectionMethod::IS_PUBLIC), $declared) as $method) {
                if (!str_starts_with($method->getName(), '__') && !self::overrides($method)) {
                    $comments["{$class->getShortName()}::{$method->getName()}()"] = $method->getDocComment();
                }
            }
            $seen += count($comments);
            array_push($missing, ...array_keys(array_filter($comments, fn ($comment) => !$comment)));
        }
        self::assertGreaterThan(350, $seen);
        self::assertSame([], $missing);
    }

    /** @return iterable<\ReflectionClass<object>> */
    private static function classes(): iterable
    {
        $src = __DIR__ . '/../src/';
        foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($src)) as $file) {
            // What works with Laravel needs its classes.
            if ($file->getExtension() === 'php' && !str_contains($file->getPathname(), 'Laravel')) {
                $class = substr($file->getPathname(), strlen($src), -strlen('.php'));
                yield new \ReflectionClass('Souk\\' . strtr($class, '/', '\\'));
            }
        }
    }

    /** What overrides has the comment of what it overrides. */
    private static function overrides(\ReflectionMethod $method): bool
    {
        return $method->hasPrototype();
    }
}
