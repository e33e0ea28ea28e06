import { type Agent, request as httpRequest } from 'node:http'
import { encodeForm, parameterText, second, signParameters } from '@souk/contract'
import type { Call, Callable, Change } from '../grammar/call.ts'
import type { Json } from '../grammar/values.ts'
import { Violation } from '../target.ts'
import type { Caller } from './callers.ts'

/** A request as it is sent. */
export interface Prepared {
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer
}

export interface Answer {
  status: number
  contentType: string
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Replaces `{{name}}` by a value of the running server. */
export type Fill = (name: string) => unknown

const boundary = 'souk-fuzz-boundary'

/** Creates the request of a call. */
export function prepare(callable: Callable, call: Call, caller: Caller, fill: Fill): Prepared {
  const { path, rest } = placed(callable.path, filled(call.parameters, fill) as Record<string, unknown>)
  const method = changed(callable.method, call.changes, 'method')
  const pairs = caller.sign ? signed(rest, caller.sign) : Object.entries(rest)
  const file = call.file === undefined ? undefined : bytesOf(call.file, fill)
  const { type, body } = callable.body ? bodyOf(callable, pairs, file) : { type: undefined, body: Buffer.alloc(0) }
  const query = callable.body ? '' : encodeForm(textPairs(pairs))
  const headers: Record<string, string> = { ...caller.headers, ...(type && { 'Content-Type': type }) }
  for (const change of call.changes) {
    if (change.part === 'header') headers[change.name] = headerText(String(filled(change.value, fill)))
  }
  const changedQuery = changed(query, call.changes, 'query')
  return {
    method,
    target: targetText(`${changed(path, call.changes, 'path')}${changedQuery && `?${changedQuery}`}`),
    headers,
    body: Buffer.from(changed(body.toString('latin1'), call.changes, 'body'), 'latin1'),
  }
}

/** Replaces placeholders. A string that is only a placeholder becomes its value, which may be a number or a list. */
function filled(value: Json, fill: Fill): unknown {
  if (typeof value === 'string') {
    const whole = /^\{\{([\w.]+)\}\}$/.exec(value)
    return whole ? fill(whole[1]!) : value.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => String(fill(name)))
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, fill))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [String(filled(key, fill)), filled(each, fill)]))
}

/** Puts parameters into the path. */
function placed(template: string, parameters: Record<string, unknown>) {
  const rest = { ...parameters }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = textOf(rest[name])
    delete rest[name]
    return encodeURIComponent(value.toWellFormed())
  })
  return { path, rest }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && !isListOfScalars(value)
    ? JSON.stringify(value)
    : parameterText(value as never)
}

function isListOfScalars(value: object): boolean {
  return Array.isArray(value) && value.every((each) => typeof each !== 'object')
}

function textPairs(pairs: readonly (readonly [string, unknown])[]): (readonly [string, string])[] {
  return pairs.map(([name, value]) => [name, textOf(value)] as const)
}

/** Adds appid, timestamp and sign, unless the call has them. */
function signed(parameters: Record<string, unknown>, { appid, secret, age = 0 }: NonNullable<Caller['sign']>) {
  const pairs = textPairs(Object.entries({ appid, timestamp: Date.now() - age, ...parameters }))
  const isSigned = secret === undefined || Object.hasOwn(parameters, 'sign')
  return isSigned ? pairs : [...pairs, ['sign', signParameters(pairs, secret)] as const]
}

function bytesOf(file: string, fill: Fill): Buffer {
  const content = filled(file, fill)
  return Buffer.isBuffer(content) ? content : Buffer.from(String(content), 'latin1')
}

function bodyOf({ body }: Callable, pairs: readonly (readonly [string, unknown])[], file: Buffer | undefined) {
  if (body![0] === 'json') {
    // Unlike an object, entries can be named __proto__.
    const json = pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')
    return { type: 'application/json', body: Buffer.from(`{${json}}`) }
  }
  if (body![0] === 'form') {
    return { type: 'application/x-www-form-urlencoded', body: Buffer.from(encodeForm(textPairs(pairs))) }
  }
  const part = (disposition: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ])
  const parts = textPairs(pairs).map(([name, value]) => part(`name="${headerText(name)}"`, Buffer.from(value)))
  if (file) parts.push(part('name="fileData"; filename="a"', file))
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

function changed(text: string, changes: readonly Change[], part: Change['part']): string {
  return changes.reduce((result, change) => {
    if (change.part !== part) return result
    if (change.part === 'method') return change.value
    if (change.part === 'header') return result
    const from = Math.floor(change.at * result.length)
    const inserted = Buffer.from(change.text).toString('latin1')
    return result.slice(0, from) + inserted + result.slice(from + change.length)
  }, text)
}

/** Replaces control characters, which node:http does not send in a header. */
function headerText(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[^ -~\u0080-\u00ff]/g, ' ')
}

/**
 * Encodes control characters and spaces, which node:http does not send in a path. A path always starts with a slash.
 */
function targetText(text: string): string {
  const encoded = text.replace(/[^!-~\u0080-\u00ff]/g, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return encoded.startsWith('/') ? encoded : `/${encoded}`
}

/** Timeout of a request, longer than a busy machine needs. */
const answerTimeout = 120 * second
const maxAnswer = 32 * 1024 * 1024

/** Sends a request. Of an event stream, only the headers are awaited. */
export function send(url: string, agent: Agent, { method, target, headers, body }: Prepared): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sized = body.length > 0 ? { ...headers, 'Content-Length': String(body.length) } : headers
    const sent = httpRequest(url, { agent, method, path: target, headers: sized, timeout: answerTimeout })
    sent.on('timeout', () => sent.destroy(new Violation('no answer', `No answer within ${answerTimeout / second} s`)))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // If a request is not valid HTTP, the server does not know that HEAD expects no body.
      const isBodyOfHead = method === 'HEAD' && error.code === 'HPE_CLOSED_CONNECTION'
      if (isBodyOfHead) resolve({ status: 400, contentType: '', headers: {}, text: '' })
      else reject(error)
    })
    sent.on('response', (answer) => {
      const { statusCode: status = 0, headers: received } = answer
      const contentType = String(received['content-type'] ?? '')
      const chunks: Buffer[] = []
      let size = 0
      const done = () => resolve({ status, contentType, headers: received, text: Buffer.concat(chunks).toString() })
      if (contentType.startsWith('text/event-stream')) {
        done()
        sent.destroy()
        return
      }
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxAnswer) sent.destroy(new Violation('size', `The answer is larger than ${maxAnswer} bytes`))
        chunks.push(chunk)
      })
      answer.on('end', done)
      answer.on('error', reject)
    })
    sent.end(body)
  })
}
