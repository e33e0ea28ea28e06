import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Appid, RealTime, Text } from '../schemas.ts'
import { console, Listed, maxListed } from './surface.ts'

const Name = Type.String({
  pattern: '^[a-z][A-Za-z0-9]{0,63}$',
  description: 'Mini apps call it as neu.host.<name>.',
  'x-allowed': 'must be 1 to 64 letters and digits, the first a lowercase letter',
})
const JsonSchema = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description, 'x-allowed': 'must be a JSON Schema, as an object' })
const Question = Text(200, { description: 'What users are asked. They see the name of the mini app above it.' })
const maxExamples = 20

/** A function of the host as the operator declares it. */
const hostFunction = {
  name: Name,
  input: JsonSchema('JSON Schema (draft 2020-12) of the parameter, an object.'),
  result: JsonSchema('JSON Schema (draft 2020-12) of the result.'),
  question: Type.Union(
    [Type.Null(), Type.Object({ en: Question, 'zh-Hans': Question, ar: Question }, { additionalProperties: false })],
    {
      description: 'What a host asks users before each call, in each language; null if it does not ask.',
      'x-allowed': 'must be null, or an object with a text of at most 200 characters for each of en, zh-Hans, ar',
    },
  ),
  examples: Type.Array(
    Type.Object({ input: Type.Unknown(), result: Type.Unknown() }, { additionalProperties: false }),
    {
      minItems: 1,
      maxItems: maxExamples,
      description: 'Calls with their results, with which a sandbox answers.',
      'x-allowed': `must be a list of 1 to ${maxExamples} objects with input and result`,
    },
  ),
  failures: Type.Array(
    Type.Object(
      { reason: Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,63}$' }), description: Text(200) },
      { additionalProperties: false },
    ),
    {
      maxItems: maxExamples,
      description: 'Failures that mini apps have to handle.',
      'x-allowed': `must be a list of at most ${maxExamples} objects with reason (letters and digits, the first a lowercase letter) and description (at most 200 characters)`,
    },
  ),
}
const HostFunction = Type.Object({ ...hostFunction, ctime: RealTime() })
const example = {
  name: 'loyaltyCard',
  input: { type: 'object', properties: { program: { type: 'string' } }, required: ['program'] },
  result: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  question: {
    en: 'May it see the number of your loyalty card?',
    'zh-Hans': '是否允许其查看您的会员卡号？',
    ar: 'هل تسمح له برؤية رقم بطاقة الولاء؟',
  },
  examples: [{ input: { program: 'tea' }, result: { number: '4711' } }],
  failures: [{ reason: 'noCard', description: 'The user has no card of this program.' }],
}

/** Functions of the application around mini apps, which the operator declares (ADR 406). */
export const hostFunctionOperations = {
  listHostFunctions: operation({
    ...console,
    id: 'listHostFunctions',
    method: 'GET',
    path: '/console/v1/host-functions',
    summary: 'List the functions of the host that the operator has declared, by name',
    access: 'signedIn',
    programs: 'any',
    parameters: Type.Object({}),
    result: Type.Array(HostFunction),
    errors: [],
    redact: [],
  }),
  putHostFunction: operation({
    ...console,
    id: 'putHostFunction',
    method: 'POST',
    path: '/console/v1/host-functions',
    summary: 'Declare a function of the host, or replace its declaration; mini apps keep their grants',
    access: 'administrator',
    stepUp: 'data',
    body: ['json'],
    parameters: Type.Object(hostFunction),
    example,
    retry: 'idempotent',
    result: HostFunction,
    errors: ['host_function_limit_reached'],
    redact: [],
  }),
  removeHostFunction: operation({
    ...console,
    id: 'removeHostFunction',
    method: 'DELETE',
    path: '/console/v1/host-functions/{name}',
    summary: 'Remove a function of the host with the grants of all mini apps, whose calls fail from now on',
    access: 'administrator',
    parameters: Type.Object({ name: Name }),
    example: { name: example.name },
    result: Type.Boolean(),
    errors: ['host_function_not_found'],
    redact: [],
  }),
  listHostFunctionGrants: operation({
    ...console,
    id: 'listHostFunctionGrants',
    method: 'GET',
    path: '/console/v1/host-function-grants',
    summary: `List the mini apps that may call functions of the host, by function and name, at most ${maxListed}`,
    access: 'administrator',
    parameters: Type.Object({}),
    result: Listed(
      Type.Object({ name: Type.String(), appid: Type.String(), appName: Type.String(), ctime: RealTime() }),
    ),
    errors: [],
    redact: [],
  }),
  revokeHostFunction: operation({
    ...console,
    id: 'revokeHostFunction',
    method: 'DELETE',
    path: '/console/v1/host-functions/{name}/grants/{appid}',
    summary: 'Take a function of the host from a mini app, whose calls fail from now on',
    access: 'administrator',
    parameters: Type.Object({ name: Name, appid: Appid }),
    example: { name: example.name },
    result: Type.Boolean(),
    errors: ['host_function_not_found'],
    redact: [],
  }),
}

/** Functions in a review: those that the release asks for, and those that the mini app may call now. */
export const ReviewedHostFunctions = Type.Object(
  {
    requested: Type.Array(Type.String()),
    granted: Type.Array(Type.String()),
  },
  { description: 'Names of functions of the host that the release asks for, and that the mini app may call now.' },
)
/** Functions that an approval grants. */
export const GrantedHostFunctions = Type.Optional(
  Type.Array(Name, {
    maxItems: 100,
    uniqueItems: true,
    description:
      'Functions of the host that the mini app may call from now on, among those that the release asks for. Absent: it keeps those that it has.',
    'x-allowed': 'must be a list of at most 100 names',
  }),
)

/** A function of the host as host applications need it. */
export const HostFunctionForHosts = Type.Object({
  ...hostFunction,
  isGranted: Type.Boolean({ description: 'Whether the mini app may call it.' }),
})
