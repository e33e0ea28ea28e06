<?php

declare(strict_types=1);

namespace Souk;

/**
 * Where the parameters of an operation are sent.
 *
 * @internal
 */
enum Place
{
    case Query;
    case Form;
    case Multipart;
    case Json;
}
