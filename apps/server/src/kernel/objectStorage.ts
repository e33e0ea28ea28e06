import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { second } from '@souk/contract'
import { AwsV4Signer } from 'aws4fetch'
import { type Dispatcher, Pool } from 'undici'
import { userAgentOf } from './package.ts'
import { SpanKind, traced } from './tracing.ts'

/** The S3-compatible object storage of the operator. */
export interface ObjectStorageSettings {
  /** URL of the bucket, or of a folder in it, with a slash at the end. Names of objects are added to it. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** An object to store. `hash` is its SHA-256, lowercase hex, which the storage compares with what it receives. */
interface NewObject {
  name: string
  hash: string
  size: number
  /** Opens the content, again for a repetition. */
  open(): Uint8Array | AsyncIterable<Uint8Array>
}

/** Stores objects by name. Every operation may be repeated. */
export interface ObjectStorage {
  /** URL of the bucket, without credentials. */
  readonly url: string
  /** @throws StorageError */
  put(object: NewObject): Promise<void>
  /**
   * Opens an object; undefined if it does not exist. The stream fails if the connection is lost. @throws StorageError
   */
  get(name: string): Promise<Readable | undefined>
  /** Deletes an object, if it exists. @throws StorageError */
  delete(name: string): Promise<void>
  close(): Promise<void>
}

/** The storage cannot be reached, or refused a request. The message is for operators and contains no secrets. */
export class StorageError extends Error {
  override name = 'StorageError'
}

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** Maximum number of connections of a process. */
const maxConnections = 32
/** Maximum length of an error that is read from the storage. */
const maxAnswer = 4096

/**
 * Creates the client. The operator's setting names the host, so requests do not pass the egress guard. Redirects are
 * not followed.
 *
 * @param publicUrl of the installation, which the `User-Agent` names
 * @param timeout of a connection, and between two parts of a response, ms
 */
export function createObjectStorage(
  settings: ObjectStorageSettings,
  { publicUrl, timeout = 20 * second }: { publicUrl?: string; timeout?: number } = {},
): ObjectStorage {
  const { url, ...credentials } = settings
  const userAgent = userAgentOf(publicUrl)
  const pool = new Pool(new URL(url).origin, {
    connections: maxConnections,
    connect: { timeout: Math.min(timeout, 5 * second) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })

  async function send(
    method: 'PUT' | 'GET' | 'DELETE',
    name: string,
    object?: NewObject,
  ): Promise<Dispatcher.ResponseData> {
    const hash = object?.hash ?? emptyHash
    const headers = { 'X-Amz-Content-Sha256': hash }
    const signer = new AwsV4Signer({ method, url: url + name, headers, service: 's3', ...credentials })
    const signed = await signer.sign()
    return pool.request({
      method,
      path: signed.url.pathname + signed.url.search,
      headers: {
        ...Object.fromEntries(signed.headers),
        'user-agent': userAgent,
        accept: '*/*',
        ...(object && { 'content-length': String(object.size), 'content-type': 'application/octet-stream' }),
      },
      body: object ? bodyOf(object.open()) : null,
    })
  }

  /** Sends a request. Retries it once if it fails for a reason that can be temporary. */
  async function request(...args: Parameters<typeof send>): Promise<Dispatcher.ResponseData> {
    const [method] = args
    const attempt = () => traced(`object storage ${method}`, () => send(...args), SpanKind.CLIENT)
    try {
      const first = await attempt().catch(() => undefined)
      if (first && first.statusCode < 500) return first
      await first?.body.dump()
      return await attempt()
    } catch (error) {
      const { code = 'unknown', message } = error as { code?: string; message: string }
      throw new StorageError(`${url} does not answer: ${code} ${message}`.trim())
    }
  }

  return {
    url,
    async put(object) {
      const response = await request('PUT', object.name, object)
      if (response.statusCode !== 200) throw await refusal(url, response)
      await response.body.dump()
    },
    async get(name) {
      const response = await request('GET', name)
      if (response.statusCode === 200) {
        // A stream that is destroyed before its end emits an error, even if its reader no longer listens.
        return response.body.on('error', () => {})
      }
      const failure = await refusal(url, response)
      if (response.statusCode === 404 && !failure.message.includes('NoSuchBucket')) return undefined
      throw failure
    },
    async delete(name) {
      const response = await request('DELETE', name)
      const { statusCode } = response
      if (statusCode === 204 || statusCode === 200) return response.body.dump()
      const failure = await refusal(url, response)
      if (statusCode !== 404 || failure.message.includes('NoSuchBucket')) throw failure
    },
    close: () => pool.close(),
  }
}

/** Reads why the storage refused a request. */
async function refusal(url: string, { statusCode, body }: Dispatcher.ResponseData): Promise<StorageError> {
  const answer = (await text(body).catch(() => '')).slice(0, maxAnswer)
  const code = /<Code>(\w{1,64})<\/Code>/.exec(answer)?.[1]
  return new StorageError(`${url} answered with status ${statusCode}${code ? ` (${code})` : ''}.`)
}

function bodyOf(content: Uint8Array | AsyncIterable<Uint8Array>): Uint8Array | Readable {
  return content instanceof Uint8Array ? content : Readable.from(content, { objectMode: false })
}
