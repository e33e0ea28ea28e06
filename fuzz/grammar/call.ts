import type { Operation } from '@souk/contract'
import fc from 'fast-check'
import { type Schema, valueFor } from './schema.ts'
import { hostileText, hostileValue, type Json } from './values.ts'

/** A request to the server; strings may contain `{{name}}`, which stands for a value of the running server. */
export interface Call {
  operation: string
  caller: string
  parameters: Record<string, Json>
  /** Content of the file part, one character per byte. */
  file?: string
  changes: Change[]
}

/** A change to a request that its operation does not describe. Positions are fractions of the length. */
export type Change =
  | { part: 'header'; name: string; value: string }
  | { part: 'method'; value: string }
  | { part: 'path' | 'query' | 'body'; at: number; length: number; text: string }

/** Requests that are sent at the same time. */
export interface Batch {
  calls: Call[]
  /** True to check that the database is unchanged if all calls fail. */
  comparesState: boolean
}

/** An operation, or a route that the contract does not declare. */
export type Callable = Pick<Operation, 'id' | 'surface' | 'method' | 'path'> &
  Partial<Pick<Operation, 'auth' | 'body' | 'file' | 'example'>> & {
    parameters: { properties: unknown; required?: readonly string[] }
  }

const maxCalls = 16

/** Creates batches of calls of these operations by these callers. */
export function batchOf(callables: readonly Callable[], callers: readonly string[]): fc.Arbitrary<Batch> {
  const call = fc.oneof(...callables.map((each) => callOf(each, callers)))
  return fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: maxCalls, size: 'max' }),
    comparesState: fc.nat(7).map((number) => number === 7),
  })
}

function callOf(callable: Callable, callers: readonly string[]): fc.Arbitrary<Call> {
  return fc.record(
    {
      operation: fc.constant(callable.id),
      // The first one may do most, so that half of the calls reach the verb.
      caller: fc.oneof(fc.constant(callers[0]!), fc.constantFrom(...callers)),
      parameters: parametersOf(callable),
      file: fc.oneof(fc.constantFrom('{{file.png}}', '{{file.archive}}', ''), hostileText),
      changes: fc.oneof(
        { arbitrary: fc.constant<Change[]>([]), weight: 3 },
        { arbitrary: fc.array(change, { minLength: 1, maxLength: 2 }), weight: 1 },
      ),
    },
    { requiredKeys: ['operation', 'caller', 'parameters', 'changes', ...(callable.file ? (['file'] as const) : [])] },
  )
}

/** Secrets of this server and of its users, which must never come back or be logged. */
export const secretNames = [
  'appSecret',
  'apiKey',
  'adminToken',
  'password',
  'providerSecret',
  'session',
  'cardNumber',
] as const

function planted(): fc.Arbitrary<string> {
  return fc.constantFrom(...secretNames).map((name) => `{{secret.${name}}}`)
}

/** Parameters of signed operations that the caller adds. */
const addedBySigner = ['appid', 'timestamp', 'sign']
const unusualName = fc.oneof(hostileText, planted(), fc.constantFrom(...addedBySigner, 'appId', 'secret', 'fileData'))

/** Generates mostly valid parameters: most calls should reach the verb, others fail in one parameter. */
function parametersOf({ auth, parameters, example = {} }: Callable): fc.Arbitrary<Record<string, Json>> {
  const required = parameters.required ?? []
  const properties = Object.entries(parameters.properties as Record<string, Schema>).filter(
    ([name]) => auth !== 'sign' || !addedBySigner.includes(name),
  )
  const values = properties.map(([name, schema]): [string, fc.Arbitrary<Json | undefined>] => {
    const sample = Object.hasOwn(example, name) ? [{ arbitrary: fc.constant(example[name] as Json), weight: 10 }] : []
    const isRequired = required.includes(name)
    return [
      name,
      fc.oneof(
        { arbitrary: identifierOr(name, schema), weight: 20 },
        ...sample,
        { arbitrary: hostileValue, weight: 1 },
        { arbitrary: planted(), weight: 1 },
        { arbitrary: fc.constant(undefined), weight: isRequired ? 1 : 20 },
      ),
    ]
  })
  const declared = fc.record(Object.fromEntries(values))
  const others = fc.oneof(
    { arbitrary: fc.constant({}), weight: 20 },
    {
      arbitrary: fc.dictionary(unusualName, fc.oneof(hostileValue, planted()), { maxKeys: 1 }),
      weight: 1,
    },
  )
  return fc.tuple(declared, others).map(([own, more]) => {
    const ownEntries = Object.entries(own).filter((pair): pair is [string, Json] => pair[1] !== undefined)
    return Object.fromEntries([...Object.entries(more as Record<string, Json>), ...ownEntries])
  })
}

/** Names of parameters whose values the server creates. `World` has one of each. */
const identifierNames = [
  'projectId',
  'appid',
  'appId',
  'tradeNo',
  'outTradeNo',
  'merchantId',
  'notifyId',
  'requestId',
  'replayId',
  'refundNo',
  'providerAccountId',
  'providerAccountIds',
  'reconciliationId',
  'accountId',
  'invitationId',
  'datasetId',
  'recordId',
  'releaseId',
  'notificationId',
  'uid',
  'uids',
  'openId',
  'code',
  'accessToken',
  'token',
] as const

function identifierOr(name: string, schema: Schema): fc.Arbitrary<Json> {
  const valid = valueFor(schema)
  if (!(identifierNames as readonly string[]).includes(name)) return valid
  return fc.oneof(
    { arbitrary: fc.constant<Json>(`{{own.${name}}}`), weight: 12 },
    { arbitrary: fc.constant<Json>(`{{foreign.${name}}}`), weight: 4 },
    { arbitrary: valid, weight: 2 },
  )
}

const position = { at: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat(20) }
const syntax = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '\\',
    '\\ud800',
    '\\u0000',
    '&',
    '=',
    '%',
    '%00',
    '%zz',
    '%ed%a0%80',
    '+',
    '/',
  ],
  ...['//', '/../', '/./', '?', '#', ';', '\r\n', '--', '\ud800', 'null', '1e400', '"__proto__":{},', '.'],
)
const changedText = fc.oneof({ arbitrary: syntax, weight: 3 }, { arbitrary: hostileText, weight: 1 })

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    arbitrary: fc.record({
      part: fc.constant('header'),
      name: fc.constantFrom(
        ...[
          'Content-Type',
          'Content-Encoding',
          'Accept',
          'Accept-Encoding',
          'If-None-Match',
          'Range',
          'Origin',
          'Host',
        ],
        ...['Sec-Fetch-Site', 'Sec-Fetch-Dest', 'X-Forwarded-For', 'X-Forwarded-Host', 'Cookie', 'Authorization'],
        ...['X-API-Key', 'X-Souk-CSRF', 'X-HTTP-Method-Override', 'Last-Event-ID', 'Expect', 'Accept-Language'],
      ),
      value: fc.oneof(
        fc.constantFrom(
          ...[
            'application/json',
            'text/plain',
            'multipart/form-data',
            'multipart/form-data; boundary=',
            'gzip',
            '*',
            '"a"',
          ],
          ...[
            'application/x-www-form-urlencoded; charset=utf-16',
            'same-origin',
            'script',
            'bytes=0-1',
            'null',
            'Bearer ',
          ],
          ...['souk_session=', 'Bearer {{secret.adminToken}}', '{{secret.apiKey}}', 'souk_session={{secret.session}}'],
        ),
        fc
          .array(fc.constantFrom('W/', '"a"', ',', ' ', 'gzip', ';q=0', ';', '='), { maxLength: 30 })
          .map((all) => all.join('')),
        hostileText,
      ),
    }) as fc.Arbitrary<Change>,
    weight: 2,
  },
  fc.record({
    part: fc.constant('method'),
    value: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'),
  }) as fc.Arbitrary<Change>,
  {
    arbitrary: fc.record({
      part: fc.constantFrom('path', 'query', 'body'),
      ...position,
      text: changedText,
    }) as fc.Arbitrary<Change>,
    weight: 3,
  },
)
