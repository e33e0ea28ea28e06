import { fileAt, pathOf } from './files.ts'

/** What comes in while a request is under way; in per cent and bytes. */
export interface Progress {
  progress: number
  totalBytesSent?: number
  totalBytesExpectedToSend?: number
  totalBytesWritten?: number
  totalBytesExpectedToWrite?: number
}

export type Header = Record<string, string>

export interface RequestOptions {
  url: string
  data?: string | object | ArrayBuffer
  header?: Header
  method?: string
  /** In ms. */
  timeout?: number
  /** `json` reads the answer as JSON where it is some. */
  dataType?: string
  responseType?: 'text' | 'arraybuffer'
  /** H5: sends the cookies of another origin. */
  withCredentials?: boolean
}

export interface RequestResult {
  // biome-ignore lint/suspicious/noExplicitAny: whoever asked knows what comes
  data: any
  statusCode: number
  header: Header
  cookies: string[]
}

export interface UploadOptions {
  url: string
  /** As `chooseImage` gives it. */
  filePath?: string
  file?: File | Blob
  /** Name of the part. */
  name?: string
  /** Several parts at once, in place of the three above. */
  files?: { name?: string; uri?: string; file?: File | Blob }[]
  header?: Header
  formData?: Record<string, unknown>
  timeout?: number
}

export interface DownloadOptions {
  url: string
  header?: Header
  timeout?: number
}

/** What a transfer is given to tell what happens, and to be stopped with. */
export interface Reporter {
  signal: AbortSignal
  headers(header: Header, statusCode: number): void
  progress(event: Progress): void
}

const form = 'application/x-www-form-urlencoded'

/** Sends a request by `fetch`. */
export async function fetchAnswer(options: RequestOptions, report: Reporter): Promise<RequestResult> {
  const { dataType = 'json', responseType = 'text' } = options
  const { url, init } = requestOf(options)
  const answer = await fetch(url, { ...init, signal: report.signal })
  const header = Object.fromEntries(answer.headers)
  report.headers(header, answer.status)
  let data: unknown = responseType === 'arraybuffer' ? await answer.arrayBuffer() : await answer.text()
  if (typeof data === 'string' && dataType === 'json') {
    try {
      data = JSON.parse(data)
    } catch {
      // Not JSON: as it is.
    }
  }
  return { data, statusCode: answer.status, header, cookies: [] }
}

/** Where data goes: into the address with GET and HEAD, otherwise into the body as the content type wants it, which is JSON by default. */
export function requestOf(options: RequestOptions): { url: string; init: RequestInit } {
  const { data, header = {}, method = 'GET', withCredentials = false } = options
  const headers = new Headers()
  for (const [name, value] of Object.entries(header)) {
    if (value !== undefined && value !== null) headers.set(name, String(value))
  }
  const init: RequestInit = {
    method: method.toUpperCase(),
    headers,
    credentials: withCredentials ? 'include' : 'same-origin',
  }
  let { url } = options
  if (init.method === 'GET' || init.method === 'HEAD') {
    if (isPlain(data)) url = withQuery(url, data)
  } else if (data !== undefined && data !== null) {
    if (!isPlain(data)) {
      init.body = data as BodyInit
      // A form with parts names its own boundary.
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

/** Objects and lists, and not what `fetch` can send as it is. */
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

/** `data` comes before what the address has of the same name; the part after `#` stays last. */
function withQuery(url: string, data: Record<string, unknown>): string {
  const added = parameters(data)
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  const kept = query.split('&').filter((pair) => pair && !added.has(nameOf(pair)))
  const all = [...kept, added.toString()].filter(Boolean).join('&')
  return path + (all && `?${all}`) + hash
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? ''
}

/** Sends files as `multipart/form-data`; by XMLHttpRequest, for `fetch` does not tell how far it is. */
export async function upload(
  { url, filePath, file, name = 'file', files, header = {}, formData = {} }: UploadOptions,
  report: Reporter,
): Promise<{ data: string; statusCode: number }> {
  const body = new FormData()
  for (const [key, value] of Object.entries(formData)) body.append(key, String(value))
  const parts = files ?? [{ name, ...(file ? { file } : {}), ...(filePath === undefined ? {} : { uri: filePath }) }]
  for (const part of parts) {
    const content = part.file ?? (await fileAt(part.uri ?? ''))
    body.append(part.name ?? 'file', content, (content as Partial<File>).name ?? 'file')
  }
  report.signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open('POST', url)
    for (const [key, value] of Object.entries(header)) {
      // The browser knows the boundary of the parts.
      if (key.toLowerCase() !== 'content-type') sending.setRequestHeader(key, value)
    }
    sending.upload.onprogress = ({ loaded, total }) =>
      report.progress({
        progress: percent(loaded, total),
        totalBytesSent: loaded,
        totalBytesExpectedToSend: total,
      })
    sending.onload = () => resolve({ data: sending.responseText, statusCode: sending.status })
    sending.onerror = () => reject(new Error('the server could not be reached'))
    report.signal.addEventListener('abort', () => sending.abort())
    sending.send(body)
  })
}

/** Loads a file; `tempFilePath` is good until the app is closed. */
export async function download(
  { url, header = {} }: DownloadOptions,
  report: Reporter,
): Promise<{ tempFilePath: string; statusCode: number }> {
  const answer = await fetch(url, { headers: header, signal: report.signal })
  report.headers(Object.fromEntries(answer.headers), answer.status)
  const total = Number(answer.headers.get('content-length')) || 0
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let loaded = 0
  if (answer.body) {
    const reader = answer.body.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value)
      loaded += piece.value.length
      report.progress({
        progress: percent(loaded, total),
        totalBytesWritten: loaded,
        totalBytesExpectedToWrite: total,
      })
    }
  }
  const content = new Blob(pieces, { type: answer.headers.get('content-type') ?? '' })
  return { tempFilePath: pathOf(content), statusCode: answer.status }
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.round((part / whole) * 100)) : 0
}
