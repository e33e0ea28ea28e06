import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Mistake, mistakes } from './diagnose.mistakes.ts'
import { type Diagnosis, diagnose } from './diagnose.ts'
import { encodeForm, signParameters } from './sign.ts'

/** Returns the CPU time of this process in ms, which does not grow while the machine is busy with other processes. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

type Pair = [name: string, value: string]

const hash = (text: string | Buffer, algorithm = 'sha256') => createHash(algorithm).update(text).digest('hex')
const sorted = (pairs: Pair[]) => pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))
const write = (pairs: Pair[], separator = '') => pairs.map(([name, value]) => `${name}=${value}`).join(separator)
const withSecret = (pairs: Pair[], secret: string): Pair[] => [...pairs, ['secret', secret]]
const canonical = (pairs: Pair[], secret: string, separator = '') => write(sorted(withSecret(pairs, secret)), separator)
const values = (pairs: Pair[], change: (value: string, name: string) => string): Pair[] =>
  pairs.map(([name, value]) => [name, change(value, name)])
const only = (pairs: Pair[], which: string, change: (value: string) => string) =>
  values(pairs, (value, name) => (name === which ? change(value) : value))

/** Signs and sends like a client that makes the mistake, independently of the code under test. */
const clients: [Mistake, what: string, sign: (pairs: Pair[], secret: string) => string][] = [
  ['ampersand_between_pairs', 'sorted', (p, s) => hash(canonical(p, s, '&'))],
  ['ampersand_between_pairs', 'and the secret appended', (p, s) => hash(`${write(sorted(p), '&')}&secret=${s}`)],
  ['separator_between_pairs', 'a comma', (p, s) => hash(canonical(p, s, ','))],
  ['separator_between_pairs', 'a closing &', (p, s) => hash(`${canonical(p, s, '&')}&`)],
  ['equals_left_out', 'nothing', (p, s) => hash(sorted(withSecret(p, s)).flat().join(''))],
  ['secret_appended_last', 'as a pair', (p, s) => hash(`${write(sorted(p))}secret=${s}`)],
  ['secret_appended_last', 'bare', (p, s) => hash(write(sorted(p)) + s)],
  ['secret_appended_last', '&secret=', (p, s) => hash(`${write(sorted(p))}&secret=${s}`)],
  ['secret_appended_last', '& and bare', (p, s) => hash(write(sorted(p), '&') + s)],
  ['secret_put_first', 'bare', (p, s) => hash(s + write(sorted(p)))],
  ['secret_put_first', 'as a pair', (p, s) => hash(`secret=${s}${write(sorted(p))}`)],
  ['secret_on_both_ends', 'bare', (p, s) => hash(s + write(sorted(p)) + s)],
  ['secret_misnamed', 'appSecret', (p, s) => hash(write(sorted([...p, ['appSecret', s]])))],
  ['secret_misnamed', '&key= and MD5', (p, s) => hash(`${write(sorted(p), '&')}&key=${s}`, 'md5').toUpperCase()],
  ['secret_left_out', '', (p) => hash(write(sorted(p)))],
  ['secret_not_set', 'undefined', (p) => hash(canonical(p, 'undefined'))],
  ['secret_not_set', 'empty', (p) => hash(canonical(p, ''))],
  ['secret_white_space', 'line break', (p, s) => hash(canonical(p, `${s}\n`))],
  ['secret_white_space', 'space before', (p, s) => hash(canonical(p, ` ${s}`))],
  ['secret_white_space', 'byte order mark', (p, s) => hash(canonical(p, `\uFEFF${s}`))],
  ['secret_white_space', 'and HMAC', (p, s) => hmac(canonical(p, `${s}\n`), `${s}\n`)],
  ['secret_case_changed', '', (p, s) => hash(canonical(p, s.toUpperCase()))],
  ['secret_retired', '', (p) => hash(canonical(p, retired))],
  ['values_url_encoded', 'encodeURIComponent', (p, s) => hash(canonical(values(p, encodeURIComponent), s))],
  ['values_url_encoded', 'URLSearchParams', (p, s) => hash(canonical(values(p, asForm), s))],
  ['values_url_encoded', 'whole string', (p, s) => hash(encodeURIComponent(canonical(p, s)))],
  ['values_url_encoded', 'and &', (p, s) => hash(canonical(values(p, asForm), s, '&'))],
  ['json_signed', 'secret among them', (p, s) => hash(JSON.stringify(Object.fromEntries(withSecret(p, s))))],
  ['json_signed', 'secret appended', (p, s) => hash(JSON.stringify(Object.fromEntries(p)) + s)],
  [
    'sorted_by_locale',
    'en',
    (p, s) => hash(write(withSecret(p, s).toSorted((a, b) => a[0].localeCompare(b[0], 'en')))),
  ],
  [
    'sorted_by_locale',
    'case',
    (p, s) => hash(write(withSecret(p, s).toSorted((a, b) => (a[0].toLowerCase() < b[0].toLowerCase() ? -1 : 1)))),
  ],
  [
    'sorted_by_code_point',
    'UTF-8 bytes',
    (p, s) => hash(write(withSecret(p, s).toSorted((a, b) => Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0]))))),
  ],
  [
    'sorted_as_pairs',
    '',
    (p, s) =>
      hash(
        withSecret(p, s)
          .map((pair) => pair.join('='))
          .toSorted()
          .join(''),
      ),
  ],
  ['sorted_descending', '', (p, s) => hash(write(sorted(withSecret(p, s)).reverse()))],
  ['not_sorted', '', (p, s) => hash(write(withSecret(p, s)))],
  ['not_sorted', 'and & and bare secret', (p, s) => hash(write(p, '&') + s)],
  [
    'timestamp_in_seconds',
    'floor',
    (p, s) =>
      hash(
        canonical(
          only(p, 'timestamp', (ms) => ms.slice(0, 10)),
          s,
        ),
      ),
  ],
  [
    'timestamp_in_seconds',
    'and &',
    (p, s) =>
      hash(
        canonical(
          only(p, 'timestamp', (ms) => ms.slice(0, 10)),
          s,
          '&',
        ),
      ),
  ],
  [
    'timestamp_differs',
    '17 ms',
    (p, s) =>
      hash(
        canonical(
          only(p, 'timestamp', (ms) => String(Number(ms) - 17)),
          s,
        ),
      ),
  ],
  [
    'number_reformatted',
    'amount 100.0',
    (p, s) =>
      hash(
        canonical(
          only(p, 'amount', (cents) => `${cents}.0`),
          s,
        ),
      ),
  ],
  [
    'number_reformatted',
    'Java double',
    (p, s) =>
      hash(
        canonical(
          only(p, 'timestamp', (ms) => `1.${ms.slice(1).replace(/0+$/, '')}E12`),
          s,
        ),
      ),
  ],
  [
    'empty_values_dropped',
    '',
    (p, s) =>
      hash(
        canonical(
          p.filter(([, value]) => value),
          s,
        ),
      ),
  ],
  [
    'empty_values_dropped',
    'and &',
    (p, s) =>
      hash(
        canonical(
          p.filter(([, value]) => value),
          s,
          '&',
        ),
      ),
  ],
  [
    'empty_value_as_null',
    'null',
    (p, s) =>
      hash(
        canonical(
          values(p, (value) => value || 'null'),
          s,
        ),
      ),
  ],
  [
    'empty_value_as_null',
    'None',
    (p, s) =>
      hash(
        canonical(
          values(p, (value) => value || 'None'),
          s,
        ),
      ),
  ],
  [
    'list_in_brackets',
    'JSON',
    (p, s) =>
      hash(
        canonical(
          only(p, 'openIds', (ids) => JSON.stringify(ids.split(','))),
          s,
        ),
      ),
  ],
  [
    'list_in_brackets',
    'Java',
    (p, s) =>
      hash(
        canonical(
          only(p, 'openIds', (ids) => `[${ids.split(',').join(', ')}]`),
          s,
        ),
      ),
  ],
  [
    'list_in_brackets',
    'bare',
    (p, s) =>
      hash(
        canonical(
          only(p, 'openIds', (ids) => `[${ids}]`),
          s,
        ),
      ),
  ],
  [
    'list_in_brackets',
    'Python',
    (p, s) =>
      hash(
        canonical(
          only(p, 'openIds', (ids) => `['${ids.split(',').join("', '")}']`),
          s,
        ),
      ),
  ],
  [
    'list_repeated',
    'openIds=a openIds=b',
    (p, s) => hash(canonical(p, s).replace(/openIds=(\w+),(\w+)/, 'openIds=$1openIds=$2')),
  ],
  [
    'list_separator',
    'comma and space',
    (p, s) =>
      hash(
        canonical(
          only(p, 'openIds', (ids) => ids.replaceAll(',', ', ')),
          s,
        ),
      ),
  ],
  ['hmac_instead_of_sha256', 'with the pair', (p, s) => hmac(canonical(p, s), s)],
  ['hmac_instead_of_sha256', 'without', (p, s) => hmac(write(sorted(p)), s)],
  [
    'hmac_instead_of_sha256',
    '& and base64',
    (p, s) => Buffer.from(hmac(write(sorted(p), '&'), s), 'hex').toString('base64'),
  ],
  ['md5_instead_of_sha256', '', (p, s) => hash(canonical(p, s), 'md5')],
  ['md5_instead_of_sha256', 'HMAC', (p, s) => hmac(canonical(p, s), s, 'md5')],
  ['sha1_instead_of_sha256', '', (p, s) => hash(canonical(p, s), 'sha1')],
  ['sha512_instead_of_sha256', '', (p, s) => hash(canonical(p, s), 'sha512')],
  ['sign_upper_case', '', (p, s) => hash(canonical(p, s)).toUpperCase()],
  ['sign_upper_case', 'and &', (p, s) => hash(canonical(p, s, '&')).toUpperCase()],
  ['sign_base64', '', (p, s) => Buffer.from(hash(canonical(p, s)), 'hex').toString('base64')],
  ['sign_base64', 'URL-safe', (p, s) => Buffer.from(hash(canonical(p, s)), 'hex').toString('base64url')],
  ['sign_base64', 'of the hexadecimal text', (p, s) => Buffer.from(hash(canonical(p, s))).toString('base64')],
  ['sign_decorated', 'line break', (p, s) => `${hash(canonical(p, s))}\n`],
  [
    'sign_decorated',
    'BitConverter',
    (p, s) =>
      hash(canonical(p, s))
        .toUpperCase()
        .replace(/..(?=.)/g, '$&-'),
  ],
  ['sign_signed', '', (p, s) => hash(canonical([...p, ['sign', '']], s))],
  ['file_data_signed', '', (p, s) => hash(canonical([...p, ['fileData', '']], s))],
  [
    'parameter_not_signed',
    'title',
    (p, s) =>
      hash(
        canonical(
          p.filter(([name]) => name !== 'title'),
          s,
        ),
      ),
  ],
  ['parameter_not_sent', 'link', (p, s) => hash(canonical([...p, ['link', '']], s))],
  [
    'name_spelled_differently',
    'appId',
    (p, s) =>
      hash(
        canonical(
          p.map(([n, v]) => [n === 'appid' ? 'appId' : n, v]),
          s,
        ),
      ),
  ],
  [
    'plus_not_encoded',
    '',
    (p, s) =>
      hash(
        canonical(
          only(p, 'title', (title) => title.replaceAll(' ', '+')),
          s,
        ),
      ),
  ],
  ['encoded_twice', '', (p, s) => hash(canonical(only(p, 'notifyUrl', decodeURIComponent), s))],
  [
    'ampersand_not_encoded',
    '',
    (p, s) => hash(canonical([['path', `x?${write(p.slice(0, 1))}&${write(p.slice(1, 2))}`], ...p.slice(2)], s)),
  ],
  ['not_utf8', '? for the rest', (p, s) => hash(Buffer.from(canonical(p, s).replace(/[^\0-\xff]/gu, '?'), 'latin1'))],
  ['not_utf8', 'Node', (p, s) => hash(Buffer.from(canonical(p, s), 'latin1'))],
  [
    'text_normalized',
    'NFD',
    (p, s) =>
      hash(
        canonical(
          values(p, (value) => value.normalize('NFD')),
          s,
        ),
      ),
  ],
  [
    'values_trimmed',
    '',
    (p, s) =>
      hash(
        canonical(
          values(p, (value) => value.trim()),
          s,
        ),
      ),
  ],
  ['trailing_newline', '', (p, s) => hash(`${canonical(p, s)}\n`)],
  ['string_case_changed', 'lower', (p, s) => hash(canonical(p, s).toLowerCase())],
]

function hmac(text: string, key: string, algorithm = 'sha256'): string {
  return createHmac(algorithm, key).update(text).digest('hex')
}

function asForm(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1)
}

const retired = 'fedcba9876543210fedcba9876543210fedcba9876543210'
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const secret = hex(48).filter((text) => /[a-f]/.test(text))
const word = fc.string({ unit: fc.constantFrom(...'abcxyzABC0189_-'), minLength: 1, maxLength: 8 })

/**
 * Requests in which every mistake changes the sign: lists, empty values, spaces, accents, upper-case names, escapes,
 * astral characters.
 */
const request: fc.Arbitrary<Pair[]> = fc
  .record({
    appid: word,
    ms: fc.integer({ min: 1_600_000_000_001, max: 1_900_000_000_000 }).filter((ms) => ms % 1000 !== 0),
    amount: fc.integer({ min: 1, max: 1e9 }),
    ids: fc.tuple(hex(32), hex(32)),
    words: fc.tuple(word, word, word),
    more: fc.uniqueArray(
      fc.tuple(
        word.map((name) => `x${name}`),
        word,
      ),
      { selector: ([name]) => name, maxLength: 4 },
    ),
  })
  .chain(({ appid, ms, amount, ids, words: [one, two, three], more }) => {
    const pairs: Pair[] = [
      ['appid', appid],
      ['timestamp', String(ms)],
      ['amount', String(amount)],
      ['merchantId', ''],
      ['openIds', ids.join(',')],
      ['title', `${one} é ${two}`],
      ['notifyUrl', `https%3A%2F%2Fshop.example%2F${three}`],
      ['description', ` ${two}=50€ `],
      ['Zone', two],
      ['Zone1', three],
      ['\uff5e', one],
      ['\u{1f600}', one],
      ...more,
    ]
    return fc.shuffledSubarray(pairs, { minLength: pairs.length })
  })
  .filter((pairs) => write(pairs) !== write(sorted(pairs)))

const named = (diagnoses: readonly Diagnosis[]) => diagnoses.map((diagnosis) => diagnosis.mistake)

describe('names the mistake that was made', () => {
  test.each(clients)('%s (%s)', (mistake, what, sign) => {
    fc.assert(
      fc.property(request, secret, (pairs, right) => {
        const sent: Pair[] =
          mistake === 'ampersand_not_encoded' ? [['path', `x?${write(pairs.slice(0, 1))}`], ...pairs.slice(1)] : pairs
        const request = { parameters: sent, sign: sign(pairs, right) }
        const found = diagnose(request, { active: [right], retired: [retired] })
        expect(named(found), what).toContain(mistake)
        for (const { explanation } of found) expect(explanation).not.toContain(right)
      }),
      { numRuns: 5 },
    )
  })

  test('hashing the raw body', () => {
    fc.assert(
      fc.property(request, secret, (pairs, right) => {
        const unsigned = encodeForm(pairs).replaceAll('%2F', '/')
        const sign = hash(`${unsigned}${right}`)
        const found = diagnose({ parameters: pairs, sign, rawText: `${unsigned}&sign=${sign}` }, { active: [right] })
        expect(named(found)).toEqual(['raw_text_signed'])
      }),
      { numRuns: 5 },
    )
  })

  test('JSON instead of a form', () => {
    const rawText = '{"appid":"a","timestamp":1700000000000}'
    expect(named(diagnose({ parameters: [], sign: hash('else'), rawText }, { active: [retired] }))).toEqual([
      'json_body',
    ])
  })

  test('a timestamp in seconds, with a correct or an incorrect sign', () => {
    const parameters: Pair[] = [
      ['appid', 'a'],
      ['timestamp', '1700000000'],
    ]
    const right = hash(canonical(parameters, retired))
    for (const sign of [right, hash('else')]) {
      expect(named(diagnose({ parameters, sign }, { active: [retired] }))).toEqual(['timestamp_in_seconds'])
    }
    const inMs = hash(
      canonical(
        [
          ['appid', 'a'],
          ['timestamp', '1700000000123'],
        ],
        retired,
      ),
    )
    expect(named(diagnose({ parameters, sign: inMs }, { active: [retired] }))).toEqual([
      'timestamp_differs',
      'timestamp_in_seconds',
    ])
  })

  test('every known mistake has a test client', () => {
    const elsewhere: Mistake[] = ['raw_text_signed', 'json_body', 'sign_malformed']
    expect(new Set([...clients.map(([mistake]) => mistake), ...elsewhere])).toEqual(new Set(Object.keys(mistakes)))
  })
})

describe('names common mistakes regardless of the order of parameters', () => {
  const key = '0123456789abcdef'.repeat(3)
  const sent: Pair[] = [
    ['Zone', 'x'],
    ['appid', 'abcdefghijklmno'],
    ['merchantId', ''],
    ['notifyUrl', 'https://shop.example/notify'],
    ['openIds', 'a1,b2'],
    ['timestamp', '1700000000123'],
    ['title', 'two words'],
  ]
  const orders: [what: string, Pair[]][] = [
    ['sorted', sent],
    ['shuffled', [5, 3, 0, 6, 2, 4, 1].map((index) => sent[index] as Pair)],
  ]
  const inSeconds = (pairs: Pair[]) => only(pairs, 'timestamp', (ms) => ms.slice(0, 10))
  const list: [Mistake[], (pairs: Pair[]) => string][] = [
    [['ampersand_between_pairs'], (p) => hash(canonical(p, key, '&'))],
    [['secret_appended_last'], (p) => hash(`${write(sorted(p))}secret=${key}`)],
    [['secret_appended_last'], (p) => hash(write(sorted(p)) + key)],
    [['ampersand_between_pairs', 'secret_appended_last'], (p) => hash(`${write(sorted(p), '&')}&secret=${key}`)],
    [['values_url_encoded'], (p) => hash(canonical(values(p, encodeURIComponent), key))],
    [['sign_upper_case'], (p) => hash(canonical(p, key)).toUpperCase()],
    [['sorted_by_locale'], (p) => hash(write(withSecret(p, key).toSorted(([a], [b]) => a.localeCompare(b, 'en'))))],
    [['timestamp_in_seconds'], (p) => hash(canonical(inSeconds(p), key))],
    [
      ['empty_values_dropped'],
      (p) =>
        hash(
          canonical(
            p.filter(([, value]) => value),
            key,
          ),
        ),
    ],
    [
      ['list_in_brackets'],
      (p) =>
        hash(
          canonical(
            only(p, 'openIds', (ids) => `[${ids}]`),
            key,
          ),
        ),
    ],
    [['hmac_instead_of_sha256'], (p) => hmac(canonical(p, key), key)],
    [['md5_instead_of_sha256'], (p) => hash(canonical(p, key), 'md5')],
    [['secret_white_space'], (p) => hash(canonical(p, `${key}\n`))],
  ]
  test.each(
    orders.flatMap(([what, pairs]) => list.map(([mistakes, sign]) => [mistakes, what, sign(pairs), pairs] as const)),
  )('%j, %s', (mistakes, _, sign, parameters) => {
    expect(named(diagnose({ parameters, sign }, { active: [key] })).sort()).toEqual(mistakes)
  })

  test('reports unsorted pairs only if they were not sorted', () => {
    const unsorted = (pairs: Pair[]) => hash(write(withSecret(pairs, key)))
    const [[, ordered], [, shuffled]] = orders as [[string, Pair[]], [string, Pair[]]]
    expect(named(diagnose({ parameters: shuffled, sign: unsorted(shuffled) }, { active: [key] }))).toEqual([
      'not_sorted',
    ])
    expect(named(diagnose({ parameters: ordered, sign: unsorted(ordered) }, { active: [key] }))).toEqual([
      'secret_appended_last',
    ])
  })
})

test('masks a parameter name that contains the secret', () => {
  const key = '0123456789abcdef'.repeat(3)
  for (const name of [key, `x${key.toUpperCase()}`, 'y'.repeat(30) + key, key.replace('a', '%61')]) {
    const parameters: Pair[] = [
      ['appid', 'a'],
      ['timestamp', '1700000000000'],
      [name, 'v'],
    ]
    const found = diagnose({ parameters, sign: hash(canonical(parameters.slice(0, 2), key)) }, { active: [key] })
    expect(named(found)).toEqual(['parameter_not_signed'])
    expect(JSON.stringify(found)).toContain('******')
    expect(JSON.stringify(found).toLowerCase()).not.toContain(key.slice(0, 16))
  }
})

test('names the parameter concerned', () => {
  const parameters: Pair[] = [
    ['appid', 'a'],
    ['timestamp', '1700000000000'],
    ['title', 't'],
  ]
  const sign = hash(canonical(parameters.slice(0, 2), retired))
  expect(diagnose({ parameters, sign }, { active: [retired] })).toEqual([
    { mistake: 'parameter_not_signed', parameter: 'title', explanation: expect.stringMatching(/^title was sent but/) },
  ])
})

test('tries both active secrets', () => {
  const parameters: Pair[] = [
    ['appid', 'a'],
    ['timestamp', '1700000000000'],
  ]
  const sign = hash(canonical(parameters, retired, '&'))
  const found = diagnose({ parameters, sign }, { active: ['0'.repeat(48), retired] })
  expect(named(found)).toEqual(['ampersand_between_pairs'])
})

test('reports no mistake for a correct sign', () => {
  fc.assert(
    fc.property(request, secret, (parameters, right) => {
      const sign = signParameters(parameters, right)
      expect(diagnose({ parameters, sign }, { active: [right], retired: [retired] })).toEqual([])
    }),
    { numRuns: 20 },
  )
})

test('does not explain a sign made with another secret', () => {
  fc.assert(
    fc.property(request, secret, secret, hex(64), (parameters, right, other, garbage) => {
      for (const sign of [garbage, signParameters(parameters, other)]) {
        expect(diagnose({ parameters, sign, rawText: encodeForm(parameters) }, { active: [right] })).toEqual([])
      }
    }),
    { numRuns: 10 },
  )
})

test('reports a sign in an unknown format as malformed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 5 }),
      fc.string({ unit: 'binary' }),
      (parameters, sign) => {
        const found = diagnose({ parameters, sign, rawText: sign }, { active: [retired] })
        expect(named(found)).toContain('sign_malformed')
      },
    ),
    { numRuns: 50 },
  )
})

test('limits the work for requests of any size', () => {
  const many = Array.from({ length: 3000 }, (_, i): Pair => [`parameter${i}`, 'x'.repeat(5)])
  const long: Pair[] = [
    ['text', 'x '.repeat(5_000_000)],
    ['timestamp', '1700000000000'],
  ]
  for (const parameters of [many, long, many.slice(0, 1500)]) {
    const started = cpuTime()
    expect(diagnose({ parameters, sign: hash('x') }, { active: [retired] })).toEqual([])
    // Without a limit it takes minutes.
    expect(cpuTime() - started).toBeLessThan(20_000)
  }
})

test('explains each mistake in two sentences with the section of the specification', () => {
  for (const explain of Object.values(mistakes)) {
    const explanation = explain('title')
    expect(explanation).toMatch(/\(open-api §\d\.\d(, steps? \d( (to|and) \d)?)?\)\.$/)
    expect(explanation.split(/\. (?=[A-Z])/)).toHaveLength(2)
  }
})
