<?php

declare(strict_types=1);

namespace Souk;

/**
 * Which failed attempts may be repeated.
 *
 * @internal
 */
enum Retry
{
    case Idempotent;
    case SameSignature;
    case IfNotExecuted;
}
