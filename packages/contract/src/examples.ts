import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { success } from './open/envelope.ts'
import { sha256Hex } from './open/sha256.ts'
import type { Operation } from './operation.ts'

/** The part of JSON Schema that the contract uses. */
interface Schema {
  type?: string
  const?: unknown
  default?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  patternProperties?: Record<string, Schema>
  pattern?: string
  minItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  'x-clock'?: 'real' | 'domain'
}

/** 2026-01-15, 09:30 in Riyadh, ms. */
const morning = 1_768_458_600_000

/**
 * Values of fields by their name, where their schemas allow them. Other ids are hexadecimal digits, and other texts are
 * the name of the field.
 */
const values: Readonly<Record<string, unknown>> = {
  appid: 'demoapp00000001',
  appId: 'demoapp00000001',
  action: 'app.manage',
  address: '203.0.113.7',
  agreement: 'https://shop.example/terms',
  amount: 1250,
  amountStrWithYuan: '12.50',
  appName: 'Souk Coffee',
  avatar: 'https://shop.example/layla.png',
  batchId: 'import-17',
  body: 'outTradeNo=order-17&transactionStatus=2',
  browser: 'Chrome 143',
  canonicalString: 'appid=demoapp00000001secret=******timestamp=1768458600000',
  color: '0B6B63',
  country: '+966',
  code: 'souk_code_3f9a1c',
  currency: 'SAR',
  cursor: 'MTc2ODQ1ODYwMDAwMA',
  day: '2026-01-15',
  description: 'Two coffees',
  developer: 'Tea House',
  documentVersion: '2',
  email: 'layla@mail.example',
  event: 'created',
  expire: 7200,
  expires_in: 3600,
  failReasonType: -1,
  filter: 'transactionStatus=2',
  from: '2026-01-01',
  host: 'backend.example',
  download: 'files.shop.example',
  instruction: 'Choose a table, then order.',
  issuer: 'https://id.example',
  latency: 42,
  language: 'en_US',
  limit: 100,
  link: '/pages/order?id=17',
  locale: 'en',
  message: 'The order is ready.',
  merchantLogoUrl: 'https://shop.example/logo.png',
  merchantName: 'Tea House',
  method: 'POST',
  name: 'Souk Coffee',
  names: { en_US: 'Souk Coffee' },
  navigateType: '1',
  next: 'MTc2ODQ1ODYwMDAwMA',
  nickName: 'Layla',
  nickname: 'Layla',
  note: 'The menu is new.',
  notifyUrl: 'https://shop.example/souk/callback',
  outTradeNo: 'order-17',
  page: 'pages/index',
  payMethod: 3,
  path: '/pages/order',
  payNo: 'pi_3Q0000000000000017',
  payer: 100_001,
  phone: '500000001',
  projectName: 'Coffee shops',
  request: 'api.shop.example',
  scope: 'user.info',
  status: 2,
  steps: ['addToCart', 'order'],
  text: 'Your order is ready.',
  timeExpire: morning + 2 * 60 * 60 * 1000,
  timeZone: 'Asia/Riyadh',
  title: 'Order 17',
  transactionFlow: 2,
  transactionStatus: 2,
  uid: 100_001,
  userAgent: 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36',
  upload: 'files.shop.example',
  username: 'layla',
  validityTime: 3600,
  version: '1.4.0',
  webView: 'www.shop.example',
}

/** Values of texts by their pattern, and of addresses by the end of their name. */
const valuesOfPatterns: readonly [pattern: RegExp, value: (name: string) => string][] = [
  [/^\^\(?\[0-9a-f\]\{(\d+)\}|^\^\[0-9A-Fa-f\]\{/, (name) => sha256Hex(name)],
  [/^\^\[A-Za-z0-9_-\]\{(43|86)\}/, () => `${'A1b2C3d4-_'.repeat(9)}`],
  [
    /\[Hh\]\[Tt\]|\^https\?/,
    (name) => (/icon|logo|avatar|picture/i.test(name) ? 'https://shop.example/icon.png' : 'https://shop.example/'),
  ],
  [/user\\\./, () => 'user.info'],
  [/@/, () => 'layla@mail.example'],
  [/^\^\\d\{6\}/, () => '123456'],
  [/\(\\\.\[0-9\]/, () => '12.50'],
]
const urls = /(?:url|uri)$/i
const ids = /(?:id|fingerprint|sign|secret|token|key|reference)$/i

/**
 * Returns the values of all required parameters of an operation, and those that its declaration gives as an example.
 * Clients send `batchId`, too, to repeat a request.
 */
export function exampleParameters({ parameters, example }: Operation): Record<string, unknown> {
  const { properties = {}, required = [] } = parameters as Schema
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || example?.[name] !== undefined || name === 'batchId',
  )
  return Object.fromEntries(names.map((name) => [name, example?.[name] ?? exampleOf(properties[name]!, name)]))
}

/** Returns a successful response of an operation, as it is sent; undefined if it is not JSON. */
export function exampleResponse(operation: Operation): unknown {
  if (operation.stream || operation.media || operation.id === 'metrics') return undefined
  const result = withGiven(exampleOf(operation.result as Schema, operation.id), operation)
  if (operation.surface !== 'open') return result
  return success(result, operation.reportsNotDelivered && { count: 2, reasons: { off: 2 } })
}

/** Returns a result with the values of the request in the fields of the same names and types. */
function withGiven(result: unknown, { example = {}, result: schema }: Operation): unknown {
  const { properties } = schema as Schema
  if (!properties) return result
  const given = Object.entries(example).filter(
    ([name, value]) => properties[name] && Check(properties[name] as TSchema, value),
  )
  return { ...(result as object), ...Object.fromEntries(given) }
}

/** Returns a value of a schema. `name` is the field that has it. */
function exampleOf(schema: Schema, name: string): unknown {
  const known = values[name]
  if (known !== undefined && Check(schema as TSchema, known)) return known
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null')!, name)
  switch (schema.type) {
    case 'object':
      return exampleObject(schema)
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () =>
        exampleOf(schema.items ?? {}, name.replace(/s$/, '')),
      )
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return exampleNumber(schema, name)
    case 'string':
      return exampleText(schema, name)
  }
  return name === 'title' ? 'Two coffees' : {}
}

function exampleObject({ properties = {}, patternProperties = {}, required = [] }: Schema): Record<string, unknown> {
  const named = Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, name)])
  const keys = required.length > 0 ? required : ['title']
  const others = Object.values(patternProperties).flatMap((schema) => keys.map((key) => [key, exampleOf(schema, key)]))
  return Object.fromEntries([...named, ...others])
}

function exampleNumber({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER, ...schema }: Schema, name: string): number {
  const isTime = schema['x-clock'] !== undefined || /(?:time|At|timestamp|Until|Since)$/.test(name)
  return Math.min(Math.max(isTime ? morning : 1, minimum), maximum)
}

function exampleText(schema: Schema, name: string): string {
  const { pattern = '', maxLength, minLength = 0 } = schema
  const ofPattern = valuesOfPatterns.find(([its]) => its.test(pattern))?.[1](name)
  const text =
    ofPattern ?? (urls.test(name) ? 'https://shop.example/' : ids.test(name) ? sha256Hex(name).slice(0, 32) : name)
  const length = Number(/\{(\d+)\}/.exec(pattern)?.[1] ?? maxLength ?? text.length)
  return (ofPattern ? text.slice(0, length) : text.slice(0, maxLength)).padEnd(minLength, 'x')
}
