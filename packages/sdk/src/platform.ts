import {
  datasetLimits,
  encodeForm,
  type FilterCondition,
  type FilterOperator,
  formatFilter,
  type Operation,
  type ParametersOf,
  platformOperations,
  type ResultOf,
  retryRule,
} from '@souk/contract'
import { Attempts, type Observed, type OnAttempt } from './attempts.ts'
import { decodeResult } from './decode.ts'
import { AppendInterruptedError, SoukApiError, SoukConnectionError } from './errors.ts'
import type {
  Dataset,
  DatasetDetail,
  Identity,
  NewField,
  PlatformPage,
  Project as PlatformProject,
} from './operations.generated.ts'
import type { PlatformOperationName } from './platformCall.ts'
import { PlatformOperations } from './platformOperations.generated.ts'
import { randomId } from './randomId.ts'
import { createRedact, hideFromInspection, type Redact, redactCause, redactData } from './redaction.ts'
import { type ByteStream, type Clock, type Fetch, type FetchResponse, systemClock, userAgent } from './runtime.ts'
import { readBaseUrl, requireText } from './settings.ts'
import {
  adviseOnForeignResponse,
  type CallOptions,
  describeForeignResponse,
  exchange,
  isResult,
  readRetryAfter,
  repeated,
  type Transport,
} from './transport.ts'

type Operations = typeof platformOperations

/** Options of a client of the platform data API. */
export interface SoukPlatformOptions {
  /** URL of Souk before `/api/v1`, such as `http://localhost:7070`. */
  baseUrl: string
  /** API key of an account (open-api §5.1). Use it only on trusted servers. */
  apiKey?: string
  /** A token of an account, instead of the key. */
  token?: string
  /** Timeout of one attempt in ms; for an export, how long the server may be silent. Default 10 000. */
  timeout?: number
  /** Maximum number of retries where retrying is safe. Default 2; 0 disables retries. */
  maxRetries?: number
  /** Called before each attempt of a call, as the one of {@link SoukOptions}. */
  onAttempt?: OnAttempt
  /** Default: the global `fetch`. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
  /** Random number in [0, 1) for the jitter of retries. Default: `Math.random`. */
  random?: () => number
}

export type { Project as PlatformProject } from './operations.generated.ts'
/** A record: field values by name, null if absent. */
export type DatasetRecord = Record<string, unknown>

/** A filter condition; times may be dates. */
export interface Condition {
  /** Name of a field of the dataset. */
  field: string
  /** Comparison. */
  operator: FilterOperator
  /** The value to compare with; null for an empty field. */
  value: string | number | boolean | Date | null
}

/** Selection of records and fields. */
export interface Selection {
  /** A filter such as `'amount>=100,currency=SAR'`, or a list of conditions, which are quoted as needed (AND). */
  filter?: string | readonly Condition[] | undefined
  /** Return only these fields, in this order. */
  fields?: readonly string[] | undefined
}

/** Selection of a page. */
export interface Paging {
  /** `next` of the page before. */
  cursor?: string | undefined
  /** Page size, at most 1000. */
  limit?: number | undefined
}

/** Maximum size of one append in bytes, well below the limit of a request. */
const batchBytes = datasetLimits.appendBytes / 2

/**
 * Client of the platform data API (open-api §4.2) with exactly the permissions of an account.
 *
 * All methods throw `SoukApiError` for an error response, `SoukConnectionError` if there is no response, and the reason
 * of `options.signal` when it is aborted.
 *
 * @example
 * const platform = new SoukPlatform({ baseUrl: 'http://localhost:7070', apiKey: process.env.SOUK_API_KEY ?? '' })
 * for await (const trade of platform.datasets.records(`${projectId}.trades`, { filter: 'amount>=100' })) …
 */
export class SoukPlatform extends PlatformOperations {
  /** Datasets and their records. */
  readonly datasets: Datasets
  /** The projects of the account. */
  readonly projects: Projects

  /** @throws TypeError for a missing or invalid option. */
  constructor(options: SoukPlatformOptions) {
    const connection: PlatformConnection = {
      baseUrl: readBaseUrl(options.baseUrl, '/api/v1'),
      ...credentialsOf(options),
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      timeout: options.timeout ?? 10_000,
      maxRetries: options.maxRetries ?? 2,
      onAttempt: options.onAttempt,
    }
    super((name, parameters, own) => call(connection, name, withoutUndefined(parameters), own))
    this.datasets = new Datasets(connection)
    this.projects = new Projects(connection)
  }

  /** Returns the account of the key or token. */
  async me(options?: CallOptions): Promise<Identity> {
    return this.whoAmI(options)
  }
}

/** The projects of the account. */
export class Projects {
  readonly #connection: PlatformConnection

  constructor(connection: PlatformConnection) {
    this.#connection = connection
  }

  /** Returns a page of projects, newest first. */
  async list(paging: Paging = {}, options?: CallOptions): Promise<PlatformPage<PlatformProject>> {
    return call(this.#connection, 'pageProjects', withoutUndefined({ ...paging }), options)
  }

  /** Iterates over all projects, fetching page by page. */
  iterate(paging: Paging = {}, options?: CallOptions): AsyncGenerator<PlatformProject, void> {
    return pages((cursor) => this.list({ limit: 1000, ...paging, ...cursor }, options))
  }

  /** Returns a project of the account. */
  async get(projectId: string, options?: CallOptions): Promise<PlatformProject> {
    return call(this.#connection, 'readProject', { projectId }, options)
  }
}

/** Datasets and their records. */
export class Datasets {
  readonly #connection: PlatformConnection

  constructor(connection: PlatformConnection) {
    this.#connection = connection
  }

  /** Returns a page of the datasets of one or all projects. */
  async list(
    { projectId, ...paging }: Paging & { projectId?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<PlatformPage<Dataset>> {
    return call(this.#connection, 'listDatasets', withoutUndefined({ projectId, ...paging }), options)
  }

  /** Iterates over all datasets, fetching page by page. */
  iterate(
    selection: Paging & { projectId?: string | undefined } = {},
    options?: CallOptions,
  ): AsyncGenerator<Dataset, void> {
    return pages((cursor) => this.list({ limit: 1000, ...selection, ...cursor }, options))
  }

  /** Returns a dataset with its schema. */
  async get(datasetId: string, options?: CallOptions): Promise<DatasetDetail> {
    return call(this.#connection, 'getDataset', { datasetId }, options)
  }

  /** Creates a dataset. Its schema cannot be changed. */
  async create(
    dataset: { projectId: string; name: string; description?: string; fields: readonly NewField[] },
    options?: CallOptions,
  ): Promise<DatasetDetail> {
    const fields = dataset.fields.map((field) => ({ ...field }))
    return call(this.#connection, 'createDataset', { ...dataset, fields }, options)
  }

  /** Deletes a dataset with all its records permanently. */
  async delete(datasetId: string, options?: CallOptions): Promise<boolean> {
    return call(this.#connection, 'deleteDataset', { datasetId }, options)
  }

  /** Returns a page of records, newest first. */
  async page<T extends object = DatasetRecord>(
    datasetId: string,
    selection: Selection & Paging = {},
    options?: CallOptions,
  ): Promise<PlatformPage<T>> {
    const { cursor, limit } = selection
    const parameters = withoutUndefined({ datasetId, ...selected(selection), cursor, limit })
    return (await call(this.#connection, 'listRecords', parameters, options)) as PlatformPage<T>
  }

  /**
   * Iterates over all records, newest first, fetching page by page. Yields every record that exists at the start
   * exactly once. `limit` is the page size. For large datasets `export` is faster and reads one snapshot.
   */
  records<T extends object = DatasetRecord>(
    datasetId: string,
    selection: Selection & Paging = {},
    options?: CallOptions,
  ): AsyncGenerator<T, void> {
    return pages((cursor) => this.page<T>(datasetId, { limit: 1000, ...selection, ...cursor }, options))
  }

  /**
   * Iterates over all records of one snapshot, newest first, as they arrive. Leaving the loop cancels the export.
   * @throws SoukConnectionError also if the export is incomplete
   */
  async *export<T extends object = DatasetRecord>(
    datasetId: string,
    selection: Selection = {},
    options?: CallOptions,
  ): AsyncGenerator<T, void> {
    const stream = await this.exportStream(datasetId, { ...selection, format: 'ndjson' }, options)
    for await (const line of lines(stream)) yield JSON.parse(line) as T
  }

  /**
   * Returns an export as a byte stream in the given format. In CSV, values that a spreadsheet would run as a formula
   * get an apostrophe in front, unless `formulas` is `'keep'`.
   */
  async exportStream(
    datasetId: string,
    selection: Selection & { format?: 'ndjson' | 'csv'; formulas?: 'escape' | 'keep' } = {},
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    const { format, formulas } = selection
    const parameters = withoutUndefined({ datasetId, ...selected(selection), format, formulas })
    return openStream(this.#connection, 'exportRecords', parameters, options)
  }

  /**
   * Appends any number of records in batches of up to 1000. Each batch is stored completely or not at all, and only
   * once even if it is retried.
   *
   * @returns the number of stored records
   * @throws AppendInterruptedError if earlier batches were stored before one failed
   */
  async append(
    datasetId: string,
    records: Iterable<object> | AsyncIterable<object>,
    options?: CallOptions,
  ): Promise<{ appended: number }> {
    let appended = 0
    try {
      for await (const batch of batches(records)) {
        const parameters = { datasetId, records: batch, batchId: randomId() }
        appended += (await call(this.#connection, 'appendRecords', parameters, options)).appended
      }
    } catch (error) {
      throw appended === 0 ? error : new AppendInterruptedError(appended, error)
    }
    return { appended }
  }

  /** Deletes the records that match a filter permanently; `recordId=…` matches one. */
  async deleteRecords(
    datasetId: string,
    filter: NonNullable<Selection['filter']>,
    options?: CallOptions,
  ): Promise<{ deleted: number }> {
    return call(this.#connection, 'deleteRecords', { datasetId, filter: filterText(filter) }, options)
  }
}

/** Configuration shared by all calls of a client. */
interface PlatformConnection extends Transport, Credentials {}

/** The headers that authenticate, and the secret in them. */
interface Credentials {
  readonly headers: Record<string, string>
  readonly secret: string
}

function credentialsOf({ apiKey, token }: SoukPlatformOptions): Credentials {
  if (token === undefined) {
    requireHeader('apiKey', apiKey)
    return { headers: { 'x-api-key': apiKey }, secret: apiKey }
  }
  if (apiKey !== undefined) throw new TypeError('pass either apiKey or token, not both')
  requireHeader('token', token)
  return { headers: { authorization: `Bearer ${token}` }, secret: token }
}

/** Rejects a value that is not valid in a header. `fetch` would report it, and quote it, as a failed connection. */
function requireHeader(name: string, value: unknown): asserts value is string {
  requireText(name, value)
  if (!/^[!-~]+$/.test(value)) throw new TypeError(`${name} contains a character that cannot be sent in a header`)
}

type Given<O extends Operation> = { [K in keyof ParametersOf<O>]: ParametersOf<O>[K] | undefined }

/** Calls an operation with a JSON response. */
async function call<N extends PlatformOperationName>(
  connection: PlatformConnection,
  name: N,
  parameters: Partial<Given<Operations[N]>>,
  options: CallOptions = {},
): Promise<ResultOf<Operations[N]>> {
  const redact = redactOf(connection, name, parameters)
  const attempts = attemptsOf(connection, name, options)
  const once = async (observed: Observed) => {
    const { answer, text } = await send(connection, name, parameters, options, redact, observed, async (answer) => ({
      answer,
      text: await answer.text(),
    }))
    const result = readJson(text)
    if (answer.status !== 200 || !isResult(platformOperations[name], result)) {
      throw refusalOf(connection, name, answer, text, redact)
    }
    const decoded = decodeResult(platformOperations[name], result) as ResultOf<Operations[N]>
    return hideFromInspection(decoded, platformOperations[name])
  }
  return repeated(connection, retryRule(platformOperations[name]), options, () => attempts.run(once))
}

function attemptsOf(connection: PlatformConnection, name: PlatformOperationName, { signal }: CallOptions): Attempts {
  const { method, path } = platformOperations[name]
  const { baseUrl, onAttempt } = connection
  return new Attempts(onAttempt, { name, method, path, baseUrl, signal })
}

function redactOf(connection: PlatformConnection, name: PlatformOperationName, parameters: object): Redact {
  return createRedact([connection.secret], platformOperations[name], { ...parameters })
}

/** Calls an operation with a streamed response; resolves when the stream starts. */
async function openStream(
  connection: PlatformConnection,
  name: PlatformOperationName,
  parameters: object,
  options: CallOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const redact = redactOf(connection, name, parameters)
  const attempts = attemptsOf(connection, name, options)
  const once = async (observed: Observed) => {
    const { media = [] }: Operation = platformOperations[name]
    const { answer, text } = await send(connection, name, parameters, options, redact, observed, async (answer) => {
      const type = answer.headers.get('content-type') ?? ''
      const isExport = answer.status === 200 && media.some((it) => type.startsWith(it))
      return { answer, text: isExport ? undefined : await answer.text() }
    })
    if (text !== undefined) throw refusalOf(connection, name, answer, text, redact)
    return answer
  }
  const answer = await repeated(connection, retryRule(platformOperations[name]), options, () => attempts.run(once))
  if (!answer.body) throw new TypeError('the given fetch does not support streams, which exports require')
  return watched(answer.body, { signal: options.signal, timeout: options.timeout ?? connection.timeout, redact })
}

async function send<T>(
  connection: PlatformConnection,
  name: PlatformOperationName,
  parameters: object,
  options: CallOptions,
  redact: Redact,
  observed: Observed,
  read: (answer: FetchResponse) => Promise<T>,
): Promise<T> {
  const { method, path, body: bodied } = platformOperations[name] as Operation
  const rest = new Map<string, unknown>(Object.entries(parameters))
  const target = path.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = rest.get(part)
    requireText(part, value)
    // Encoded dots would be resolved, too.
    if (value === '.' || value === '..') throw new TypeError(`${part} is ${value}, which cannot be part of a path`)
    rest.delete(part)
    return encodeURIComponent(value)
  })
  const query = bodied ? '' : encodeForm([...rest].map(([part, value]) => [part, String(value)]))
  const body = bodied && JSON.stringify(Object.fromEntries(rest))
  const headers = {
    ...observed.headers,
    ...connection.headers,
    accept: 'application/json, application/x-ndjson, text/csv',
    'user-agent': userAgent,
    ...(bodied ? { 'content-type': 'application/json' } : {}),
  }
  return exchange(connection, name, options, {
    send: (signal) =>
      connection.fetch(`${connection.baseUrl}${target}${query && `?${query}`}`, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
      }),
    read: async (answer) => {
      const found = await read(answer)
      observed.received(answer.status, redactData(answer.headers.get('x-request-id') ?? undefined, redact))
      return found
    },
    redact,
    lost:
      retryRule(platformOperations[name]) === 'ifNotExecuted'
        ? 'It may have been processed: check before you retry.'
        : undefined,
  })
}

/** Problem details (RFC 9457). */
interface Problem {
  code: string
  detail: string
  requestId?: string
  data?: Record<string, unknown>
}

function refusalOf(
  connection: PlatformConnection,
  name: PlatformOperationName,
  answer: FetchResponse,
  text: string,
  redact: Redact,
): SoukApiError {
  const found = redactData(readJson(text), redact) as Partial<Problem> | undefined
  const problem = typeof found?.code === 'string' ? (found as Problem) : undefined
  return new SoukApiError({
    operation: name,
    status: answer.status,
    code: problem?.code,
    msg: problem?.detail ?? describeForeignResponse(answer, text, redact),
    requestId: redactData(answer.headers.get('x-request-id') ?? problem?.requestId, redact),
    data: problem?.data,
    retryAfter: readRetryAfter(answer, connection.clock.now()),
    advice: problem ? advices[problem.code] : adviseOnForeignResponse(answer.status, connection.baseUrl, '/api/v1'),
  })
}

const advices: Record<string, string> = {
  api_key_invalid:
    'An account has one key, which becomes invalid when it is refreshed. Compare its last four characters in the console under Profile, API Key Management.',
  token_invalid: 'A token is valid for one hour. Use an API key for programs that run longer.',
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function selected({ filter, fields }: Selection) {
  return { filter: filter === undefined ? undefined : filterText(filter), fields: fields && [...fields] }
}

function filterText(filter: NonNullable<Selection['filter']>): string {
  if (typeof filter === 'string') return filter
  const conditions = filter.map(({ field, operator, value }): FilterCondition => {
    const text = value instanceof Date ? value.getTime() : value
    return { field, operator, value: text === null ? null : String(text) }
  })
  return formatFilter(conditions)
}

/** Removes undefined values. */
function withoutUndefined<T extends object>(parameters: T): T {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)) as T
}

async function* pages<T>(
  fetchPage: (cursor: { cursor?: string }) => Promise<PlatformPage<T>>,
): AsyncGenerator<T, void> {
  let page = await fetchPage({})
  yield* page.items
  while (page.next !== null) {
    page = await fetchPage({ cursor: page.next })
    yield* page.items
  }
}

/** Splits records into batches for append. */
async function* batches(records: Iterable<object> | AsyncIterable<object>): AsyncGenerator<Record<string, unknown>[]> {
  let batch: Record<string, unknown>[] = []
  let bytes = 0
  for await (const record of records) {
    const size = JSON.stringify(record).length * 3
    if (batch.length === datasetLimits.records || (batch.length > 0 && bytes + size > batchBytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(record as Record<string, unknown>)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

/** Splits a text stream into lines. A last line without line break means that the stream is incomplete. */
async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const found = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = found.pop() ?? ''
      yield* found
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
  if (rest !== '') throw brokenOff('the export ended early.')
}

/** Wraps a stream so that failures become SoukConnectionError and the signal cancels it. */
function watched(
  stream: ByteStream,
  { signal, timeout, redact }: { signal: AbortSignal | undefined; timeout: number; redact: Redact },
): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  const cancelReader = () => void reader.cancel(signal?.reason).catch(() => {})
  signal?.addEventListener('abort', cancelReader, { once: true })
  const forget = () => signal?.removeEventListener('abort', cancelReader)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let isSilent = false
      const timer = setTimeout(() => {
        isSilent = true
        void reader.cancel().catch(() => {})
      }, timeout)
      try {
        const { value } = await reader.read()
        if (signal?.aborted) return controller.error(signal.reason)
        if (value) return controller.enqueue(value)
        if (isSilent) controller.error(brokenOff(`the server was silent for ${timeout} ms.`))
        else controller.close()
      } catch (cause) {
        controller.error(
          signal?.aborted ? signal.reason : brokenOff('the export ended early.', redactCause(cause, redact)),
        )
      } finally {
        clearTimeout(timer)
      }
      forget()
    },
    cancel(reason) {
      forget()
      return reader.cancel(reason)
    },
  })
}

function brokenOff(reason: string, cause?: unknown): SoukConnectionError {
  return new SoukConnectionError('exportRecords', reason, false, cause)
}
