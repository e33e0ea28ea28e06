import {
  aliasesOf,
  canonicalString,
  findAmbiguity,
  type Operation,
  openOperations,
  sendNotify2023,
} from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const appid = 'coffee0shop1234'
const openId = '0123456789abcdef0123456789abcdef'
const common = { appid, timestamp: '1700000000000' }
const secret = 'f'.repeat(48)
const sign = '0'.repeat(64)

type Parameters = ReadonlyMap<string, string>

const operations: Operation[] = [...Object.values(openOperations), sendNotify2023]

/** The operations as the server validates them, but without maximum lengths. */
const readers = operations.map((operation) => {
  const { parameters } = operation
  const properties = JSON.parse(
    JSON.stringify(parameters.properties, (key, value) => (key === 'maxLength' ? undefined : value)),
  )
  // A signed request has these even where the operation does not require a sign.
  const required = [...new Set([...(parameters.required ?? []), 'appid', 'timestamp', 'sign'])]
  const schema = { type: 'object', properties, required } as unknown as Operation['parameters']
  const read = compileParameters({ ...operation, parameters: schema } as Operation)
  const aliases = aliasesOf(operation)
  const ignored = Object.keys(operation.ignored ?? {})
  const names = new Set([...Object.keys(properties), ...aliases.keys(), ...ignored, 'secret'])
  names.delete('sign')
  return { names, aliases, read }
})

/** Allows both spellings of a parameter with different values, which only finds more readings. */
function isValid({ read, aliases }: (typeof readers)[number], parameters: Parameters): boolean {
  if (parameters.get('secret') !== secret) return false
  const signed = new Map(parameters).set('sign', sign)
  signed.delete('secret')
  const repeated = [...aliases].filter(([alias, name]) => signed.has(alias) && signed.has(name))
  return (
    repeated.flat().every((name) => accepts(read, new Map([...signed].filter(([other]) => other !== name)))) &&
    (repeated.length > 0 || accepts(read, signed))
  )
}

function accepts(read: (typeof readers)[number]['read'], parameters: Parameters): boolean {
  try {
    read(parameters)
    return true
  } catch {
    return false
  }
}

/** A reading of a canonical string: its parameters with the secret, and the places where they start. */
interface Reading {
  starts: Set<number>
  parameters: Map<string, string>
}

/** Returns all valid readings by trying all cuts. */
function allReadings(text: string): Reading[] {
  return readers.flatMap((reader) => {
    const places = [...reader.names].flatMap((name) =>
      Array.from(text.matchAll(new RegExp(`(?=${name}=)`, 'g')), ({ index }) => ({ name, index })),
    )
    const extend = (chosen: typeof places): Reading[] => {
      const last = chosen.at(-1)
      const longer = places
        .filter((place) =>
          last ? place.index >= last.index + last.name.length + 1 && place.name > last.name : place.index === 0,
        )
        .flatMap((place) => extend([...chosen, place]))
      const parameters = new Map(
        chosen.map(({ name, index }, i) => [name, text.slice(index + name.length + 1, chosen[i + 1]?.index)]),
      )
      return isValid(reader, parameters)
        ? [...longer, { starts: new Set(chosen.map(({ index }) => index)), parameters }]
        : longer
    }
    return extend([])
  })
}

function startsOf(parameters: Parameters): Set<number> {
  let at = 0
  return new Set(
    [...parameters]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => {
        const start = at
        at += name.length + 1 + value.length
        return start
      }),
  )
}

const samples: Record<string, readonly string[]> = {
  amount: ['1', '1250'],
  currency: ['SAR'],
  description: ['', 'Coffee'],
  merchantId: ['', openId],
  notifyUrl: ['https://shop.example/paid'],
  openId: [openId],
  outTradeNo: ['order-1'],
  timeExpire: ['', '1700000000000'],
  tradeNo: [openId],
  notifyType: ['1'],
  openIds: [openId, `${openId},x`],
  title: ['t', 'A title'],
  text: ['x', 'A text'],
  navigateType: ['1', '2'],
  url: ['', 'https://shop.example/?a=b', 'http://x'],
  link: ['', 'pages/a?b=c'],
  language: ['en_US'],
  activityId: ['a'],
  color: ['00ff00'],
  templateId: ['order'],
  iconUrl: ['https://shop.example/i.png'],
  iconPath: ['https://shop.example/i.png'],
  path: ['', 'pages/a'],
  status: ['0', '1'],
  validityTime: ['60'],
  code: ['abc'],
  grantType: ['authorization_code'],
  scope: ['user.info'],
  accessToken: ['token'],
  appid: [appid],
  appId: [appid],
  timestamp: ['1700000000000', '5'],
  secret: [secret, 's'],
  rulesType: ['1', '3'],
  countryCode: ['', '+966'],
  mobileNumber: ['', '500000001'],
  miniAppId: ['', appid],
}

// Other parameters have the values of the examples.
for (const { id, parameters, example } of operations) {
  for (const name of Object.keys(parameters.properties).filter((name) => name !== 'sign')) {
    samples[name] ??= [String(example?.[name] ?? expect.fail(`${id}: add ${name} to its example in the contract`))]
  }
}

const names = Object.keys(samples)
const pairText = (name: string) => fc.constantFrom(...samples[name]!).map((value) => `${name}=${value}`)
/** Text that looks like a parameter, or like nothing. */
const fragment = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...names).chain(pairText) },
  { weight: 1, arbitrary: fc.constantFrom('=', ' ', 'a', '?', 'https://x/', '1', ',') },
)

/** Returns the parameters after `name` in canonical order as text, which an attacker would hide in a value. */
function following(operation: Operation, name: string) {
  const sorted = Object.keys(operation.parameters.properties).filter((one) => one > name && one !== 'sign')
  return fc
    .nat(4)
    .chain((count) => fc.tuple(...sorted.sort().slice(0, count).map(pairText)))
    .map((pairs) => pairs.join(''))
}

/** Requests of all operations in which some values contain the text of other parameters. */
const request = fc.constantFrom(...operations).chain((operation) => {
  const required = new Set(operation.parameters.required)
  const own = Object.keys(operation.parameters.properties).filter((name) => name !== 'sign' && !(name in common))
  const values = own.map((name) => {
    const sample = fc.constantFrom(...samples[name]!)
    const value = fc.oneof(
      { weight: 3, arbitrary: sample },
      {
        weight: 1,
        arbitrary: fc
          .tuple(sample, fc.array(fc.oneof(fragment, following(operation, name)), { minLength: 1, maxLength: 2 }))
          .map(([start, end]) => start + end.join('')),
      },
    )
    return fc.option(
      value.map((text) => [name, text] as const),
      { freq: required.has(name) ? 1000 : 2, nil: undefined },
    )
  })
  return fc
    .tuple(...values)
    .map((pairs) => new Map([...Object.entries(common), ...pairs.filter((pair) => pair !== undefined)]))
})

test('of all ways to cut a canonical string, at most one valid one is accepted', () => {
  let refused = 0
  fc.assert(
    fc.property(request, (parameters) => {
      const own = startsOf(new Map([...parameters, ['secret', secret]]))
      const readings = allReadings(canonicalString(parameters, secret))
      const isAmbiguous = readings.some(({ starts }) => [...starts].some((start) => !own.has(start)))
      // Exactly the ambiguous requests are refused, so that a query in a URL stays possible.
      expect(findAmbiguity(parameters) !== undefined).toBe(isAmbiguous)

      const accepted = readings.filter((reading) => {
        reading.parameters.delete('secret')
        return !findAmbiguity(reading.parameters)
      })
      expect(new Set(accepted.map(({ starts }) => [...starts].join())).size).toBeLessThanOrEqual(1)
      if (isAmbiguous) refused++
    }),
    { numRuns: 400, seed: 12 },
  )
  expect(refused).toBeGreaterThan(20)
})
