import { webhookHeaderNames } from './callback.ts'
import { consoleOperations } from './console/index.ts'
import { type ErrorCode, errors } from './errors.ts'
import { type EventType, eventSchema, eventTypeNames, eventTypes } from './events.ts'
import { exampleResponse } from './examples.ts'
import { hostOperations } from './host/index.ts'
import { envelopeOf } from './open/envelope.ts'
import { openOperations } from './open/index.ts'
import {
  accessErrors,
  apiKeyErrors,
  commonErrors,
  consoleErrors,
  environmentErrors,
  type Operation,
  type Surface,
  signErrors,
  stepUpErrors,
} from './operation.ts'
import { opsOperations } from './ops/index.ts'
import { platformOperations } from './platform/index.ts'
import { protectionText } from './protections.ts'

/** All operations of Souk, grouped by surface. */
export const operations: readonly Operation[] = [
  ...Object.values(openOperations),
  ...Object.values(platformOperations),
  ...Object.values(hostOperations),
  ...Object.values(consoleOperations),
  ...Object.values(opsOperations),
]

/** Returns all error codes that an operation can return, its own first, without duplicates. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes = [
    ...environmentErrors(operation),
    ...operation.errors,
    ...accessErrors(operation),
    ...stepUpErrors(operation),
    ...(operation.auth === 'sign' ? signErrors : []),
    ...(operation.auth === 'console' ? consoleErrors : []),
    ...(operation.auth === 'apiKey' ? apiKeyErrors : []),
    ...commonErrors[operation.surface],
  ]
  return [...new Set(codes)]
}

type Json = Record<string, unknown>

const mediaTypes = {
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  json: 'application/json',
} as const

const surfaces: Record<Surface, string> = {
  open: 'Called by the backend of a mini app',
  host: 'Called by a host application',
  platform: 'The platform data API',
  console: 'Called by the console and the command line',
  ops: 'Called by monitoring tools of the operator',
}

/** Returns the OpenAPI 3.1 document of all operations. */
export function openapi(serverUrl = 'http://localhost:7070'): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = describe(operation)
    paths[operation.path] = path
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Souk',
      version: '0.2.0',
      description: 'The open-source, self-hosted mini app platform.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(surfaces).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(eventTypeNames.map((type) => [type, { post: describeEvent(type) }])),
    components: { securitySchemes, schemas },
  }
}

const securitySchemes: Json = {
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The content of the file `admin-token` in the data directory.',
  },
  consoleSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'souk_session',
    description: 'The console session. Writes also require the header `X-Souk-CSRF`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key of an account; ignored if there is an `Authorization` header (open-api §5.1).',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of an account, or the admin token (open-api §5.1).',
  },
  hostSession: { type: 'http', scheme: 'bearer', description: 'The session of a host user.' },
}

const schemas: Json = {
  Refusal: {
    type: 'object',
    description: 'The envelope of a failed open API request.',
    required: ['responseHeader', 'response'],
    properties: {
      responseHeader: {
        type: 'object',
        required: ['status', 'msg', 'code'],
        properties: {
          status: { type: 'integer', description: 'The HTTP status.' },
          msg: { type: 'string' },
          code: { type: 'string', description: 'A stable error code from the registry.' },
          data: { type: 'object', description: 'Machine-readable details.' },
        },
      },
      response: { type: 'null' },
    },
  },
  Problem: {
    type: 'object',
    description: 'Problem details (RFC 9457).',
    required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      code: { type: 'string' },
      detail: { type: 'string' },
      requestId: { type: 'string' },
      data: { type: 'object' },
    },
  },
}

/** Alternative security schemes by authentication method. */
const security: Partial<Record<Operation['auth'], Json[]>> = {
  hostSession: [{ hostSession: [] }],
  console: [{ consoleSession: [] }, { adminToken: [] }],
  apiKey: [{ apiKey: [] }, { token: [] }],
}

function describeEvent(type: EventType): Json {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  return {
    operationId: type,
    summary: eventTypes[type].summary,
    parameters: [
      header(webhookHeaderNames.id, 'Identifies the event; the same for all attempts.'),
      header(webhookHeaderNames.timestamp, 'When this attempt was signed, seconds of real time.'),
      header(webhookHeaderNames.signature, 'Signatures as in Standard Webhooks, separated by spaces.'),
    ],
    requestBody: { required: true, content: { [mediaTypes.json]: { schema: eventSchema(type) } } },
    responses: { '2XX': { description: 'Acknowledged.' }, 410: { description: 'Disables the endpoint.' } },
  }
}

function describe(operation: Operation): Json {
  const properties = operation.parameters.properties as Record<string, Json>
  const required: readonly string[] = operation.parameters.required ?? []
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name))
  const inQuery = operation.body ? [] : rest
  const notes = [
    operation.section ? `open-api §${operation.section}.` : '',
    operation.capability ? `Requires the capability ${operation.capability}.` : '',
    protectionText(operation.stepUp),
    operation.sandboxOnly ? 'Available only in a sandbox.' : '',
    operation.alsoPost ? 'Also answers POST with the parameters as a form.' : '',
    operation.surface === 'open' && operation.body ? 'Parameters are also accepted in the query string.' : '',
  ]
  return {
    operationId: operation.id,
    tags: [operation.surface],
    summary: operation.summary,
    description: notes.filter(Boolean).join(' '),
    ...(security[operation.auth] ? { security: security[operation.auth] } : {}),
    parameters: [
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: properties[name] })),
      ...inQuery.map((name) => ({
        name,
        in: 'query',
        required: required.includes(name),
        ...(properties[name]!.type === 'array' ? { style: 'form', explode: false } : {}),
        schema: properties[name],
      })),
    ],
    ...(operation.body ? { requestBody: requestBody(operation, rest, required) } : {}),
    responses: responses(operation),
  }
}

function requestBody(operation: Operation, names: readonly string[], required: readonly string[]): Json {
  const properties = Object.fromEntries(names.map((name) => [name, operation.parameters.properties[name]]))
  const schema = { type: 'object', required: required.filter((name) => names.includes(name)), properties }
  const lists = names.filter((name) => (properties[name] as Json).type === 'array')
  const encoding = Object.fromEntries(lists.map((name) => [name, { style: 'form', explode: false }]))
  const withFile = {
    ...schema,
    required: [...schema.required, 'fileData'],
    properties: { ...properties, fileData: { type: 'string', contentMediaType: 'application/octet-stream' } },
  }
  const content = Object.fromEntries(
    operation.body!.map((kind) => [
      mediaTypes[kind],
      {
        schema: operation.file ? withFile : schema,
        ...(kind !== 'json' && lists.length > 0 ? { encoding } : {}),
      },
    ]),
  )
  return { required: schema.required.length > 0, content }
}

function responses(operation: Operation): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(operation)) {
    const { status } = errors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const ordinary = operation.stream
    ? 'text/event-stream'
    : operation.id === 'metrics'
      ? 'text/plain'
      : 'application/json'
  const answered = operation.media ?? [ordinary]
  const schema = operation.surface === 'open' ? envelopeOf(operation) : operation.result
  const open = operation.surface === 'open'
  const example = exampleResponse(operation)
  const content = example === undefined ? { schema } : { schema, example }
  return {
    200: { description: 'OK', content: Object.fromEntries(answered.map((mediaType) => [mediaType, content])) },
    ...Object.fromEntries(
      [...byStatus]
        .sort(([a], [b]) => a - b)
        .map(([status, codes]) => [
          status,
          {
            description: codes.map((code) => `\`${code}\`: ${errors[code].msg}`).join('\n\n'),
            content: {
              [open || operation.oauthErrors ? 'application/json' : 'application/problem+json']: {
                schema: { $ref: `#/components/schemas/${open ? 'Refusal' : 'Problem'}` },
              },
            },
          },
        ]),
    ),
  }
}
