import { checkDomain } from './domains.ts'
import { readFile, tempPathOf } from './files.ts'
import type { Header, Progress } from './table/network.ts'
import type { Options, Result } from './table/types.ts'

/** Callbacks for the progress of a transfer, and the signal that aborts it. */
export interface Reporter {
  signal: AbortSignal
  headers(header: Header, statusCode: number): void
  progress(event: Progress): void
}

const form = 'application/x-www-form-urlencoded'

/** Calls `fetch`. H5 builds of uni-app projects get an error without a reason, as in uni-app, since apps show it. */
async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw __SOUK_UNI_APP__ ? new Error('') : error
  }
}

/** Sends a request with `fetch`. */
export async function sendRequest(options: Options<'request'>, report: Reporter): Promise<Result<'request'>> {
  const { dataType = 'json', responseType = 'text' } = options
  checkDomain('request', options.url)
  const { url, init } = requestOf(options)
  const response = await send(url, { ...init, signal: report.signal })
  const header = Object.fromEntries(response.headers)
  report.headers(header, response.status)
  let data: unknown = responseType === 'arraybuffer' ? await response.arrayBuffer() : await response.text()
  if (typeof data === 'string' && dataType === 'json') {
    try {
      data = JSON.parse(data)
    } catch {
      // Not JSON: return the text.
    }
  }
  return { data, statusCode: response.status, header, cookies: [] }
}

/**
 * Puts the data into the query for GET and HEAD, otherwise into the body, encoded by content type (JSON by default).
 */
export function requestOf(options: Options<'request'>): { url: string; init: RequestInit } {
  const { data, header = {}, withCredentials = false } = options
  const headers = new Headers()
  for (const [name, value] of Object.entries(header)) {
    if (value !== undefined && value !== null) headers.set(name, String(value))
  }
  const init: RequestInit = {
    method: (options.method || 'GET').toUpperCase(),
    headers,
    credentials: withCredentials ? 'include' : 'same-origin',
  }
  let { url } = options
  if (init.method === 'GET' || init.method === 'HEAD') {
    if (isPlain(data)) url = withQuery(url, data)
  } else if (data !== undefined && data !== null) {
    if (!isPlain(data)) {
      init.body = data as BodyInit
      // FormData sets its own boundary.
      if (typeof data === 'string' && !headers.has('content-type')) headers.set('content-type', 'application/json')
    } else if (headers.get('content-type')?.includes(form)) {
      init.body = parameters(data).toString()
    } else {
      if (!headers.has('content-type')) headers.set('content-type', 'application/json')
      init.body = JSON.stringify(data)
    }
  }
  return { url, init }
}

/** Returns true for objects and arrays, except those that `fetch` sends directly. */
function isPlain(data: unknown): data is Record<string, unknown> {
  if (typeof data !== 'object' || data === null) return false
  const prototype = Object.getPrototypeOf(data)
  return prototype === Object.prototype || prototype === null || Array.isArray(data)
}

function parameters(data: Record<string, unknown>): URLSearchParams {
  const pairs = new URLSearchParams()
  for (const [key, value] of Object.entries(data)) {
    if (value === undefined) continue
    pairs.append(key, typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''))
  }
  return pairs
}

/** Adds data to a URL, replacing parameters of the same name; the fragment stays last. */
function withQuery(url: string, data: Record<string, unknown>): string {
  const added = parameters(data)
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  const remaining = query.split('&').filter((pair) => pair && !added.has(nameOf(pair)))
  const combined = [...remaining, added.toString()].filter(Boolean).join('&')
  return path + (combined && `?${combined}`) + hash
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? ''
}

/** Uploads files as `multipart/form-data`. Uses XMLHttpRequest, because `fetch` does not report upload progress. */
export async function upload(
  { url, filePath, file, name = 'file', files, header = {}, formData = {} }: Options<'uploadFile'>,
  report: Reporter,
): Promise<Result<'uploadFile'>> {
  checkDomain('upload', url)
  const body = new FormData()
  for (const [key, value] of Object.entries(formData)) body.append(key, String(value))
  const parts = files ?? [{ name, ...(file ? { file } : {}), ...(filePath === undefined ? {} : { uri: filePath }) }]
  for (const part of parts) {
    const content = part.file ?? (await readFile(part.uri ?? ''))
    body.append(part.name ?? 'file', content, (content as Partial<File>).name ?? 'file')
  }
  report.signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open('POST', url)
    for (const [key, value] of Object.entries(header)) {
      // The browser sets the boundary.
      if (key.toLowerCase() !== 'content-type') xhr.setRequestHeader(key, value)
    }
    xhr.upload.onprogress = ({ loaded, total }) =>
      report.progress({
        progress: percent(loaded, total),
        totalBytesSent: loaded,
        totalBytesExpectedToSend: total,
      })
    xhr.onload = () => resolve({ data: xhr.responseText, statusCode: xhr.status })
    xhr.onerror = () => reject(new Error(__SOUK_UNI_APP__ ? '' : 'the server cannot be reached'))
    report.signal.addEventListener('abort', () => xhr.abort())
    xhr.send(body)
  })
}

/** Downloads a file, as a temporary file. */
export async function download(
  { url, header = {} }: Options<'downloadFile'>,
  report: Reporter,
): Promise<Result<'downloadFile'>> {
  checkDomain('download', url)
  const response = await send(url, { headers: header, signal: report.signal })
  report.headers(Object.fromEntries(response.headers), response.status)
  const total = Number(response.headers.get('content-length')) || 0
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let loaded = 0
  if (response.body) {
    const reader = response.body.getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      chunks.push(chunk.value)
      loaded += chunk.value.length
      report.progress({
        progress: percent(loaded, total),
        totalBytesWritten: loaded,
        totalBytesExpectedToWrite: total,
      })
    }
  }
  const content = new Blob(chunks, { type: response.headers.get('content-type') ?? '' })
  return { tempFilePath: tempPathOf(content), statusCode: response.status }
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.round((part / whole) * 100)) : 0
}
