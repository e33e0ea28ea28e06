import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openOperations } from './index.ts'
import { addParameter, joinParameters, ParameterFault, parseForm, withLineFeeds } from './parameters.ts'
import { encodeForm } from './sign.ts'

/** Returns the CPU time of this process in ms, which does not grow while the machine is busy with other processes. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const clean = (options: fc.StringConstraints) =>
  fc.string({ unit: 'grapheme', ...options }).filter((text) => !/\p{Cc}/u.test(text))
const pairs = fc.uniqueArray(fc.tuple(clean({ minLength: 1, maxLength: 10 }), clean({ maxLength: 30 })), {
  selector: (pair) => pair[0],
})

function faultOf(action: () => unknown): ParameterFault {
  try {
    action()
  } catch (fault) {
    if (fault instanceof ParameterFault) return fault
    throw fault
  }
  throw new Error('nothing was refused')
}

test('parses what was encoded, from a string and from bytes', () => {
  fc.assert(
    fc.property(pairs, (given) => {
      const form = encodeForm(given)
      expect([...parseForm(form)]).toEqual(given)
      expect([...parseForm(Buffer.from(form))]).toEqual(given)
    }),
  )
})

test('parses forms written by URLSearchParams', () => {
  fc.assert(
    fc.property(pairs, (given) => {
      expect([...parseForm(String(new URLSearchParams(given)))]).toEqual(given)
    }),
  )
})

test('parses unencoded non-ASCII bytes as UTF-8', () => {
  fc.assert(
    fc.property(clean({}), (text) => {
      fc.pre(!/[&%+]/.test(text))
      const bytes = Buffer.from(`text=${text}`)
      expect(parseForm(bytes).get('text')).toBe(text)
      expect(parseForm(bytes.toString('latin1')).get('text')).toBe(text)
    }),
  )
  expect(parseForm(Buffer.from('t=%D8\xa7', 'latin1')).get('t')).toBe('\u0627')
})

test('decodes any bytes like strict UTF-8, or throws a ParameterFault', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ maxLength: 12, min: 0x7e }),
    fc.string({ unit: 'binary', maxLength: 10 }).map((text) => new Uint8Array(Buffer.from(text))),
  )
  fc.assert(
    fc.property(bytes, (value) => {
      const escaped = [...value].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      let expected: string | ParameterFault['code']
      try {
        expected = strict.decode(value)
        if (/\p{Cc}/u.test(expected)) expected = 'parameter_control_character'
      } catch {
        expected = 'parameter_malformed'
      }
      let read: string | undefined
      try {
        read = parseForm(`a=${escaped}`).get('a')
      } catch (fault) {
        read = (fault as ParameterFault).code
      }
      expect(read).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

test('throws nothing but ParameterFault for any input', () => {
  const input = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({ unit: fc.constantFrom('%', '&', '=', '+', 'a', '2', 'F', '\xff', '\u4e2d', '\ud800'), maxLength: 60 }),
  )
  fc.assert(
    fc.property(input, (form) => {
      try {
        expect(parseForm(form)).toBeInstanceOf(Map)
      } catch (fault) {
        expect(fault).toBeInstanceOf(ParameterFault)
      }
    }),
    { numRuns: 2000 },
  )
})

test('runs in linear time', () => {
  const forms = [
    (size: number) => Array.from({ length: size / 8 }, (_, i) => i.toString(36).padStart(7, '-')).join('&'),
    (size: number) => `a=${'%41'.repeat(size / 3)}`,
    (size: number) => `a=${'+'.repeat(size)}`,
    (size: number) => `${'&'.repeat(size)}`,
    (size: number) => `a${'='.repeat(size)}`,
  ]
  for (const form of forms) {
    const started = cpuTime()
    parseForm(form(4_000_000))
    // A quadratic parser takes minutes for four megabytes, a linear one well under a second.
    expect(cpuTime() - started).toBeLessThan(10_000)
  }
})

describe('form syntax', () => {
  test.each([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1&&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a', [['a', '']]],
    [
      'a&b=1',
      [
        ['a', ''],
        ['b', '1'],
      ],
    ],
    ['a=', [['a', '']]],
    ['=1', [['', '1']]],
    ['a=1=2', [['a', '1=2']]],
    ['a=x+y%2Bz%20', [['a', 'x y+z ']]],
    ['a+b=1', [['a b', '1']]],
    ['a=%26%3D%25', [['a', '&=%']]],
    ['a=%EF%BB%BFx', [['a', '\uFEFFx']]],
    [
      '__proto__=1&constructor=2&toString=3',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
        ['toString', '3'],
      ],
    ],
  ] as [string, [string, string][]][])('%j', (form, expected) => {
    expect([...parseForm(form)]).toEqual(expected)
  })
})

test('refuses a repeated name, however it is encoded and wherever it occurs', () => {
  expect(faultOf(() => parseForm('a=1&a=1'))).toMatchObject({ code: 'parameter_repeated', parameter: 'a' })
  expect(faultOf(() => parseForm('a=1&%61=2')).code).toBe('parameter_repeated')
  expect(faultOf(() => parseForm('__proto__=1&__proto__=2')).code).toBe('parameter_repeated')
  expect(faultOf(() => joinParameters(parseForm('a=1&b=2'), parseForm('c=3&b=2'))).parameter).toBe('b')
})

test('merges query and body, in that order', () => {
  expect([...joinParameters(parseForm('b=1'), parseForm('a=2'))]).toEqual([
    ['b', '1'],
    ['a', '2'],
  ])
  expect([...joinParameters(parseForm(''), parseForm('a=2'))]).toEqual([['a', '2']])
  expect([...joinParameters(parseForm('b=1'), parseForm(''))]).toEqual([['b', '1']])
})

test('refuses control characters in names and values of forms and multipart fields', () => {
  for (let code = 0; code <= 0xff; code++) {
    const character = String.fromCharCode(code)
    const refused = code <= 0x1f || (code >= 0x7f && code <= 0x9f)
    const attempts = [
      () => parseForm(`a=x${encodeURIComponent(character)}`),
      () => parseForm(`x${encodeURIComponent(character)}=1`),
      () => addParameter(new Map(), 'a', `x${character}`),
      () => addParameter(new Map(), `x${character}`, ''),
    ]
    for (const attempt of attempts) {
      if (refused) expect(faultOf(attempt).code).toBe('parameter_control_character')
      else expect(attempt).not.toThrow()
    }
  }
  expect(faultOf(() => parseForm('a=1\nb')).code).toBe('parameter_control_character')
})

/** Parameters of the open API that take any text, of which the user sees several lines or one. */
const freeTexts = new Set(
  Object.values(openOperations).flatMap(({ parameters }) =>
    Object.entries(parameters.properties as Record<string, { type?: string; pattern?: string; enum?: unknown }>)
      .filter(([, schema]) => schema.type === 'string' && !schema.pattern && !schema.enum)
      .map(([name]) => name),
  ),
)

test.each([...freeTexts])('%s accepts line breaks and tabs if it has several lines, otherwise explains', (name) => {
  const typed = 'two\r\nlines\rand\n\ttabs'
  const read = () => parseForm(`${name}=${encodeURIComponent(typed)}`).get(name)
  if (['text', 'description'].includes(name)) {
    expect(read()).toBe(typed)
    expect(withLineFeeds(name, typed)).toBe('two\nlines\nand\n\ttabs')
  } else expect(faultOf(read).reason).toContain('including line breaks and tabs')
  for (const character of ['\0', '\v', '\f', '\x1b', '\x7f', '\x85']) {
    expect(faultOf(() => parseForm(`${name}=${encodeURIComponent(character)}`)).code).toBe(
      'parameter_control_character',
    )
  }
})

test('refuses a string that was not encoded to bytes', () => {
  expect(faultOf(() => parseForm('title=سلام')).code).toBe('parameter_malformed')
  expect(faultOf(() => parseForm('title=café')).code).toBe('parameter_malformed')
})

test('names the parameter in a fault, shortened and without its value', () => {
  const fault = faultOf(() => parseForm(`accessToken=s3cret%`))
  expect(fault.parameter).toBe('accessToken')
  expect(fault.reason).not.toContain('s3cret')
  const long = faultOf(() => parseForm(`${'n'.repeat(5000)}=%`))
  expect(long.reason.length).toBeLessThan(400)
  const odd = faultOf(() => parseForm('a%0Ab=1'))
  expect(/\p{Cc}/u.test(odd.reason)).toBe(false)
})
