<?php

declare(strict_types=1);

namespace Souk;

/** The base of all exceptions of this package. */
abstract class SoukException extends \RuntimeException
{
}
