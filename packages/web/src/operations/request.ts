import { encodeForm, maskedCanonicalString, signParameters } from '@souk/contract'
import type { CodeRequest } from './codeFor.ts'
import type { ApiOperation, Parameter } from './openapi.ts'

/** Texts by parameter; empty and null ones are omitted from requests. Fields that were cleared are null. */
type FormValues = Readonly<Record<string, string | null>>

/** Input of the reader: texts by parameter, and the file of an upload. */
interface Input {
  values: FormValues
  file?: File | undefined
}

interface Credentials {
  appid?: string
  secret?: string
  /** API key, token or host session. */
  token?: string
  /** CSRF token of the console session. */
  csrf?: string
}

export interface PreparedRequest {
  url: string
  init: RequestInit & { method: string; headers: Record<string, string> }
  /** Canonical string with the secret masked. */
  canonical: string | undefined
  sign: string | undefined
}

/** Parameters that are filled in automatically. */
const ownOfSign = ['appid', 'timestamp', 'sign']

/** Returns the parameters that the user fills in. */
export function fieldsToFill(operation: ApiOperation): Parameter[] {
  if (operation.proof !== 'sign') return operation.parameters
  return operation.parameters.filter(({ name }) => !ownOfSign.includes(name))
}

/** Returns the values that a field can have, if there are few. */
export function choicesOf({ schema }: Parameter): string[] | undefined {
  if (schema.enum) return schema.enum.map(String)
  return schema.type === 'boolean' ? ['true', 'false'] : undefined
}

/** Returns what prevents a request from being built from the form values, by field. */
export function findMistakes(operation: ApiOperation, values: FormValues): Record<string, 'missing' | 'jsonWrong'> {
  const mistakes: Record<string, 'missing' | 'jsonWrong'> = {}
  for (const field of fieldsToFill(operation)) {
    const text = values[field.name] ?? ''
    if (field.required && text === '' && !field.schema.contentMediaType) mistakes[field.name] = 'missing'
    if (text === '' || field.in !== 'body' || operation.mediaType !== 'application/json') continue
    try {
      typed(field, text)
    } catch {
      mistakes[field.name] = 'jsonWrong'
    }
  }
  return mistakes
}

/**
 * Builds the request from the form values. `values` are texts, with lists separated by commas and other types as JSON;
 * empty ones are omitted. `now` is Unix time in ms.
 */
export function prepareRequest(
  operation: ApiOperation,
  { values, file }: Input,
  { appid = '', secret = '', token = '', csrf }: Credentials,
  { now }: { now: number },
): PreparedRequest {
  const parameters = fieldsToFill(operation).filter(({ name }) => values[name])
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const headers: Record<string, string> = {}
  let canonical: string | undefined
  let sign: string | undefined

  let query = pairs(parameters, values, 'query')
  let body = pairs(parameters, values, 'body')
  if (operation.proof === 'sign') {
    const own: [string, string][] = [
      ['appid', appid],
      ['timestamp', String(now)],
    ]
    const signed = [...own, ...query, ...body]
    sign = signParameters(signed, secret)
    canonical = maskedCanonicalString(signed)
    if (operation.mediaType) body = [...own, ...body, ['sign', sign]]
    else query = [...own, ...query, ['sign', sign]]
  } else if (operation.proof === 'apiKey' && token) {
    if (/^souk_(live|test)_/.test(token)) headers['X-API-Key'] = token
    else headers.Authorization = `Bearer ${token}`
  } else if (operation.proof === 'hostSession' && token) headers.Authorization = `Bearer ${token}`
  else if (operation.proof === 'console' && csrf && operation.method !== 'GET') headers['X-Souk-CSRF'] = csrf

  const url = query.length > 0 ? `${path}?${encodeForm(query)}` : path
  const { content, contentType } = bodyOf(operation, parameters, { values, file }, body)
  if (contentType) headers['Content-Type'] = contentType
  const init = { method: operation.method, headers, ...(content === undefined ? {} : { body: content }) }
  return { url, init, canonical, sign }
}

/** Returns the request of the form values for code, with `<name>` for required values that are missing. */
export function codeRequestOf(
  operation: ApiOperation,
  { values, file }: Input,
  { appid, origin }: { appid: string; origin: string },
): CodeRequest {
  const textOf = ({ name, required }: Parameter) => values[name] || (required ? `<${name}>` : '')
  const filled = fieldsToFill(operation).filter((field) => textOf(field) !== '' && !field.schema.contentMediaType)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : `<${name}>`,
  )
  const sent = filled.filter(({ in: where }) => where !== 'path')
  const place = placeOf(operation)
  const signed = operation.proof === 'sign'
  return {
    url: origin + path,
    method: operation.method,
    place,
    parameters: [
      ...(signed ? [['appid', appid || '<appid>'] as const] : []),
      ...sent.map((field) => [field.name, textOf(field)] as const),
    ],
    json: place === 'json' ? jsonOf(sent, textOf) : undefined,
    file: place === 'multipart' ? (file?.name ?? 'FILE') : undefined,
    signed,
    credential: credentialOf(operation),
  }
}

function placeOf({ mediaType }: ApiOperation): CodeRequest['place'] {
  if (mediaType === undefined) return 'query'
  if (mediaType.startsWith('multipart')) return 'multipart'
  return mediaType === 'application/json' ? 'json' : 'form'
}

function jsonOf(fields: readonly Parameter[], textOf: (field: Parameter) => string): string {
  return JSON.stringify(
    Object.fromEntries(
      fields.map((field) => {
        const text = textOf(field)
        try {
          return [field.name, typed(field, text)]
        } catch {
          return [field.name, text]
        }
      }),
    ),
  )
}

/** Programs authenticate with tokens: the session of the console is for browsers. */
function credentialOf({ proof }: ApiOperation): CodeRequest['credential'] {
  const bearer = { header: 'Authorization', prefix: 'Bearer ' }
  if (proof === 'apiKey') return { header: 'X-API-Key', prefix: '', variable: 'SOUK_API_KEY' }
  if (proof === 'console') return { ...bearer, variable: 'SOUK_TOKEN' }
  return proof === 'hostSession' ? { ...bearer, variable: 'SOUK_HOST_SESSION' } : undefined
}

function pairs(parameters: readonly Parameter[], values: FormValues, place: 'query' | 'body') {
  return parameters
    .filter(({ in: where, schema }) => where === place && !schema.contentMediaType)
    .map(({ name }): [string, string] => [name, values[name] as string])
}

interface Body {
  content?: BodyInit
  /** Undefined if the browser sets it, with the boundary of a multipart body. */
  contentType?: string
}

function bodyOf(
  { mediaType }: ApiOperation,
  parameters: readonly Parameter[],
  { values, file }: Input,
  body: readonly [string, string][],
): Body {
  if (mediaType === undefined) return {}
  if (mediaType.startsWith('multipart')) {
    const form = new FormData()
    for (const [name, value] of body) form.append(name, value)
    if (file) form.append('fileData', file)
    return { content: form }
  }
  if (mediaType === 'application/json') {
    const own = parameters.filter(({ in: where }) => where === 'body')
    const text = JSON.stringify(
      Object.fromEntries(own.map((one) => [one.name, typed(one, values[one.name] as string)])),
    )
    return { content: text, contentType: mediaType }
  }
  const text = encodeForm(body)
  return { content: text, contentType: mediaType }
}

/**
 * Converts a form text to the JSON value that the schema requires.
 *
 * @throws SyntaxError if the schema requires JSON and the text is invalid
 */
function typed({ schema }: Pick<Parameter, 'schema'>, text: string): unknown {
  if (schema.type === 'string') return text
  if (schema.enum) return schema.enum.find((value) => String(value) === text) ?? text
  // The server names what is wrong with a text. JSON would contain null instead of NaN.
  if (schema.type === 'integer' || schema.type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true'
  if (schema.type === 'array' && !text.trimStart().startsWith('[')) {
    const items = schema.items ?? {}
    return text.split(',').map((item) => typed({ schema: items }, item.trim()))
  }
  return JSON.parse(text)
}
