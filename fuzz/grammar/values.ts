import fc from 'fast-check'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Strings that have broken servers: surrogates, control characters, patterns of other languages, long ones. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\ud800',
    'a\udfffb',
    '\u0000',
    '\u0001\u009f',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '😀'.repeat(40),
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '-0',
    '1e400',
    '9007199254740993',
    '99999999999999999999',
    '0x10',
    "' or '1'='1",
    '$1',
    '{}',
    '[]',
    '../../etc/passwd',
    '..%2f..%2f',
    '%00',
    '%ff%fe',
    '%',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    'http://127.0.0.1:1/x',
    'https://user:pass@example.com/?q#f',
    'http://[::1',
    'a,b,,c',
    'a=1,b!=2',
    '"',
    '\\',
    '\r\nX-Injected: 1',
    '4111111111111111',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .tuple(fc.constantFrom('a', ' ', '/', '%', ',', '9', 'é'), fc.integer({ min: 64, max: 5000 }))
    .map(([unit, count]) => unit.repeat(count)),
)

const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 1e21, 1e308, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 2 ** 63),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Values of any type, for a parameter of any type. */
export const hostileValue: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: hostileText, weight: 5 },
  { arbitrary: hostileNumber, weight: 2 },
  { arbitrary: fc.constantFrom<Json>(null, true, false, [], {}, [null], { a: {} }), weight: 2 },
  { arbitrary: fc.array(hostileText, { maxLength: 3 }), weight: 1 },
  { arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 3 }), weight: 1 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>, weight: 1 },
  { arbitrary: fc.integer({ min: 1, max: 3000 }).map(nested), weight: 1 },
)

/** Creates a value nested at least as deep as a recursive function can handle. */
function nested(depth: number): Json {
  let value: Json = 1
  for (let level = 0; level < Math.min(depth, 1000); level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
