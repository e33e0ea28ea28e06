import {
  canonicalString,
  diagnose,
  encodeForm,
  maskedCanonicalString,
  ParameterFault,
  parseForm,
  signParameters,
  verifyCallback,
} from '@souk/contract'
import fc from 'fast-check'
import { textOf } from '../grammar/text.ts'
import { hostileText } from '../grammar/values.ts'
import { functionTarget, Violation } from '../target.ts'

const secret = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978'
const now = Date.UTC(2030, 0, 1)

const sample = encodeForm([
  ['appid', 'tea000000000001'],
  ['timestamp', now],
  ['outTradeNo', 'order-1'],
  ['amount', 1250],
  ['description', 'قهوة ☕ & more=1'],
  ['notifyUrl', 'https://shop.example.com/paid'],
])

const forms = textOf({
  samples: [sample, `${sample}&sign=${'a'.repeat(64)}`, `notifyId=${'1'.repeat(32)}&timestamp=${now}&result=`],
  tokens: [
    '&',
    '=',
    '+',
    '%',
    '%2',
    '%20',
    '%00',
    '%ff',
    '%F0%9F%98%80',
    'sign',
    'secret',
    'fileData',
    'a',
    'é',
    '\n',
    ',',
  ],
})

/** Forms as bytes in Latin-1, as they arrive. */
const parsing = functionTarget({
  name: 'open/form',
  surface: 'open',
  weight: 4,
  inputs: forms,
  check(form) {
    const parameters = parsed(Buffer.from(form).toString('latin1'))
    if (!parameters) return
    const again = parsed(encodeForm(parameters))
    if (JSON.stringify([...parameters]) !== JSON.stringify([...(again ?? [])])) {
      throw new Violation('round trip', 'The parameters change when they are encoded and parsed again')
    }
  },
})

function parsed(form: string): Map<string, string> | undefined {
  try {
    return parseForm(form)
  } catch (error) {
    if (error instanceof ParameterFault) return undefined
    throw error
  }
}

const parameter = fc.tuple(
  fc.oneof(fc.constantFrom('appid', 'text', 'url', 'sign', 'secret', 'fileData', 'code'), hostileText),
  fc.oneof(fc.string(), hostileText, fc.constantFrom(secret, secret.toUpperCase(), `x${secret}`)),
)
const parameterLists = fc.uniqueArray(parameter, { maxLength: 8, selector: ([name]) => name })

/** The canonical string of any parameters. */
const signing = functionTarget({
  name: 'open/canonicalString',
  surface: 'open',
  weight: 4,
  inputs: parameterLists,
  check(parameters) {
    const text = canonicalString(parameters, secret)
    if (canonicalString([...parameters].reverse(), secret) !== text) {
      throw new Violation('order', 'The canonical string depends on the order of the parameters')
    }
    if (
      maskedCanonicalString(parameters, { secrets: [secret] })
        .toLowerCase()
        .includes(secret)
    ) {
      throw new Violation('secret shown', 'The masked canonical string contains the secret')
    }
  },
})

/** Signs that do not verify, which a sandbox explains. */
const diagnosis = functionTarget({
  name: 'open/diagnosis',
  surface: 'open',
  // Takes about 60 ms.
  weight: 0.02,
  inputs: fc.record({
    parameters: parameterLists,
    sign: fc.oneof(fc.stringMatching(/^[0-9a-fA-F]{64}$/), hostileText),
    rawText: forms,
  }),
  check({ parameters, sign, rawText }) {
    const found = JSON.stringify(diagnose({ parameters, sign, rawText }, { active: [secret], retired: ['old'] }))
    for (const hidden of [secret, signParameters(parameters, secret)]) {
      if (found.includes(hidden)) throw new Violation('secret shown', 'The diagnosis contains the secret or the sign')
    }
  },
})

/** Bodies that a backend takes for payment result callbacks. */
const callbacks = functionTarget({
  name: 'open/callback',
  surface: 'open',
  weight: 0.1,
  inputs: forms,
  check(body) {
    if (verifyCallback(body, [secret], { now }).ok)
      throw new Violation('accepted', 'A callback without a sign is accepted')
  },
})

export const open = [parsing, signing, diagnosis, callbacks]
