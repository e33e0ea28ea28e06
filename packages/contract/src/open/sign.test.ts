import { hash } from 'node:crypto'
import { SHA256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import golden from '../../vectors/sign.json' with { type: 'json' }
import { ParameterFault, parseForm } from './parameters.ts'
import {
  canonicalString,
  encodeForm,
  maskedCanonicalString,
  maskSecrets,
  type ParameterValue,
  signParameters,
} from './sign.ts'

interface Vector {
  name: string
  parameters: [string, string | number | null | string[]][]
  body: string
  secret: string
  canonical: string
  sign: string
}
const vectors = golden.vectors as unknown as Vector[]

const notSigned = new Set(['sign', 'fileData', 'secret'])
const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom('appid', 'sign', 'fileData', 'secret', '__proto__', 'constructor', 'a', 'A', 'a1', '_'),
)
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.maxSafeInteger(),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
)
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }))
const parameters = fc.uniqueArray(fc.tuple(name, value), { selector: (pair) => pair[0], maxLength: 12 })

/** Implements open-api §4.1 literally, without optimizations. */
function naive(pairs: readonly (readonly [string, ParameterValue])[], secret: string): string {
  const write = (one: ParameterValue): string =>
    one === null || one === undefined ? '' : Array.isArray(one) ? one.map(write).join(',') : `${one}`
  const all = new Map(pairs.filter(([key]) => !notSigned.has(key)).map(([key, one]) => [key, write(one)]))
  all.set('secret', secret)
  return [...all.keys()]
    .sort()
    .map((key) => `${key}=${all.get(key)}`)
    .join('')
}

describe('golden vectors', () => {
  test.each(vectors)('$name: canonical string and sign', (vector) => {
    expect(canonicalString(vector.parameters, vector.secret)).toBe(vector.canonical)
    expect(signParameters(vector.parameters, vector.secret)).toBe(vector.sign)
  })

  test.each(vectors)('$name: the body as received yields the sign that it carries', (vector) => {
    const received = parseForm(Buffer.from(vector.body))
    expect(received.get('sign')).toBe(vector.sign)
    expect(signParameters(received, vector.secret)).toBe(vector.sign)
  })

  test.each(golden.refused)('$name: refused before any sign is looked at', ({ body, code }) => {
    expect(() => parseForm(body)).toThrow(expect.objectContaining({ code, name: 'ParameterFault' }))
  })

  test('the published example yields the published sign', () => {
    expect(vectors[0]?.sign).toBe('964bd40923c2f8911560c18cb06f580d3d26436378c11edff3f0691e4db00242')
  })
})

/** Resumes SHA-256 from a digest, which is all that an attacker without the secret needs. */
class ResumedSha256 extends SHA256 {
  static from(digest: string, bytesHashed: number): ResumedSha256 {
    const resumed = new ResumedSha256()
    const words = hexToBytes(digest)
    const view = new DataView(words.buffer, words.byteOffset)
    const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, i) => view.getUint32(i * 4)) as Eight
    resumed.set(a, b, c, d, e, f, g, h)
    resumed.length = bytesHashed
    return resumed
  }
}
type Eight = [number, number, number, number, number, number, number, number]

describe('a length-extension forgery', () => {
  const vector = golden.refused.find((refused) => 'forgery' in refused)
  const { known, appendedHex, sign } = vector!.forgery!
  const secret = vector!.secret!
  const parametersKnown = known.parameters as [string, string | number][]

  test('computes a valid digest of the raw bytes without the secret', () => {
    expect(signParameters(parametersKnown, secret)).toBe(known.sign)

    // The attacker knows the sign, all parameters, and the length of a secret (48 characters).
    const bytesHashed = Buffer.byteLength(canonicalString(parametersKnown, 'x'.repeat(48)))
    const padding = Buffer.alloc(64 - ((bytesHashed + 8) % 64) + 8)
    padding[0] = 0x80
    padding.writeBigUInt64BE(BigInt(bytesHashed) * 8n, padding.length - 8)
    const wish = Buffer.from('@evil.example/')
    const forged = ResumedSha256.from(known.sign, bytesHashed + padding.length)
    expect(bytesToHex(forged.update(wish).digest())).toBe(sign)
    expect(Buffer.concat([padding, wish]).toString('hex')).toBe(appendedHex)

    const rawBytes = Buffer.concat([Buffer.from(known.canonical), padding, wish])
    expect(hash('sha256', rawBytes)).toBe(sign)
  })

  test('fails to parse, and does not match the decoded text', () => {
    expect(() => parseForm(vector!.body)).toThrow(ParameterFault)
    const url = `https://shop.example/${Buffer.from(appendedHex, 'hex').toString('utf8')}`
    const lenient = parametersKnown.map(([key, one]) => [key, key === 'url' ? url : one] as const)
    expect(signParameters(lenient, secret)).not.toBe(sign)
  })

  test('is refused for every length of the original request', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.string({ unit: 'grapheme-ascii', maxLength: 10 }), (length, wish) => {
        const padding = Buffer.alloc(64 - ((length + 8) % 64) + 8)
        padding[0] = 0x80
        padding.writeBigUInt64BE(BigInt(length) * 8n, padding.length - 8)
        const escapes = [...padding].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        const body = `${encodeForm([['url', 'ü'.repeat(length % 7)]])}${escapes}${encodeURIComponent(wish)}`
        expect(() => parseForm(body)).toThrow(ParameterFault)
      }),
    )
  })
})

test('the canonical string matches a literal implementation of the specification', () => {
  fc.assert(
    fc.property(parameters, fc.string(), (pairs, secret) => {
      expect(canonicalString(pairs, secret)).toBe(naive(pairs, secret))
    }),
  )
})

test('the sign does not depend on the order of parameters', () => {
  const twoOrders = parameters.chain((pairs) =>
    fc.tuple(fc.constant(pairs), fc.shuffledSubarray(pairs, { minLength: pairs.length })),
  )
  fc.assert(
    fc.property(twoOrders, ([one, other]) => {
      expect(signParameters(one, 's')).toBe(signParameters(other, 's'))
    }),
  )
})

test('sign, fileData and a transmitted secret do not affect the sign', () => {
  fc.assert(
    fc.property(parameters, fc.string(), (pairs, noise) => {
      const plain = pairs.filter(([key]) => !notSigned.has(key))
      const noisy = [...plain, ['sign', noise], ['fileData', noise], ['secret', noise]] as const
      expect(signParameters(noisy, 's')).toBe(signParameters(plain, 's'))
    }),
  )
})

test('an injected hash yields the same sign, including for lone surrogates', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const pairs = [['text', `${text}\ud800`]] as const
      expect(signParameters(pairs, 's', (canonical) => hash('sha256', canonical))).toBe(signParameters(pairs, 's'))
    }),
  )
})

test('the encoded form parses to parameters with the same sign', () => {
  const sendable = fc.uniqueArray(
    fc.tuple(
      name.filter((key) => !notSigned.has(key) && !/\p{Cc}/u.test(key)),
      fc.string({ unit: fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), fc.constant('\ud800')) }),
    ),
    { selector: (pair) => pair[0] },
  )
  fc.assert(
    fc.property(sendable, (pairs) => {
      fc.pre(!pairs.some(([, one]) => /\p{Cc}/u.test(one)))
      expect(signParameters(parseForm(encodeForm(pairs)), 's')).toBe(signParameters(pairs, 's'))
    }),
  )
})

test('the masked string shows everything except the secret', () => {
  expect(
    maskedCanonicalString([
      ['appid', 'a'],
      ['timestamp', 1],
    ]),
  ).toBe('appid=asecret=******timestamp=1')
  expect(maskedCanonicalString([['secret', 'leaked']])).toBe('secret=******')
})

test('masks the values of the given names in every spelling', () => {
  const pairs = ['code', 'Code', 'accessToken', 'access_token', 'codes'].map((name) => [name, 'v'] as const)
  expect(maskedCanonicalString(pairs, { names: ['code', 'accessToken'] })).toBe(
    'Code=******accessToken=******access_token=******code=******codes=vsecret=******',
  )
})

test('masks a secret in values, in names and across both, in any notation', () => {
  const hexadecimal = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 48, maxLength: 48 })
  const anything = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 48 }).filter((text) => !/[*%]/.test(text))
  const escaped = (text: string) => encodeURIComponent(text.toWellFormed())
  const everyByte = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
  const notations: ((text: string) => string)[] = [
    (text) => text,
    (text) => `"${text}\n"`,
    escaped,
    (text) => escaped(escaped(text)),
    (text) => escaped(text).replaceAll('%20', '+'),
    (text) => escaped(text).toLowerCase(),
    everyByte,
    (text) => everyByte(text).toUpperCase(),
    (text) => escaped(everyByte(text)),
  ]
  fc.assert(
    fc.property(hexadecimal, anything, fc.constantFrom(...notations), (one, two, write) => {
      for (const secret of [one, two]) {
        const written = write(secret)
        const half = secret.length / 2
        for (const pair of [
          ['appSecret', written],
          [written, ''],
          ['x', `before ${written} after`],
        ] as const) {
          expect(maskedCanonicalString([pair], { secrets: ['other', one, two] })).not.toContain(written)
        }
        const across = maskedCanonicalString(
          [
            ['a', secret.slice(0, half)],
            [secret.slice(half), 'x'],
          ],
          { secrets: [one, two] },
        )
        expect(across).not.toContain(secret)
      }
      const upper = maskedCanonicalString([['key', one.toUpperCase()]], { secrets: [one] })
      expect(upper).toBe('key=******secret=******')
    }),
    { numRuns: 50 },
  )
})

test('leaves a text unchanged if there is no secret to mask', () => {
  expect(maskSecrets('a=b', [])).toBe('a=b')
  expect(maskSecrets('a=b', [''])).toBe('a=b')
})
