import {
  datasetLimits,
  encodeForm,
  type FieldType,
  type FilterCondition,
  type FilterOperator,
  formatFilter,
  type Operation,
  type ParametersOf,
  platformOperations,
  type ResultOf,
  retryRule,
} from '@souk/contract'
import { AppendInterruptedError, SoukApiError, SoukConnectionError } from './errors.ts'
import type { Shown } from './operations.ts'
import { type Clock, type Fetch, type FetchAnswer, systemClock } from './runtime.ts'
import { readBaseUrl, requireText } from './settings.ts'
import {
  type CallOptions,
  exchange,
  mayRepeat,
  pauseBefore,
  readRetryAfter,
  strangeAnswer,
  type Transport,
} from './transport.ts'

type Operations = typeof platformOperations

/** The names of the platform data API's operations. */
export type PlatformOperationName = keyof Operations

/** Settings of a client of the platform data API. */
export interface SoukPlatformOptions {
  /** Address of Souk in front of `/api/v1`, such as `http://localhost:7070`. */
  baseUrl: string
  /** The API key of an account (open-api §5.1). Use it in trusted servers only. */
  apiKey?: string
  /** A token of an account, in place of the key. */
  token?: string
  /** How long one try of a call may take, in ms; of an export, until it begins. Default 10 000. */
  timeout?: number
  /** How many further tries a call may have where repeating it is safe. Default 2; 0 switches repeating off. */
  maxRetries?: number
  /** Default: the global `fetch`. */
  fetch?: Fetch
  /** Default: the system's clock. */
  clock?: Clock
  /** From [0, 1), spreads repeated tries. Default: `Math.random`. */
  random?: () => number
}

export type Identity = Shown<ResultOf<Operations['whoAmI']>>
export type PlatformProject = Shown<ResultOf<Operations['readProject']>>
export type Dataset = Shown<ResultOf<Operations['listDatasets']>['items'][number]>
export type DatasetDetail = Shown<ResultOf<Operations['getDataset']>>
/** A record: the value of each field by its name, null where it has none. */
export type DatasetRecord = Record<string, unknown>

/** One page of a list. `next` goes into `cursor` for the page after it; null on the last one. */
export interface PlatformPage<T> {
  items: T[]
  next: string | null
}

/** A condition as code has it; times may be dates. */
export interface Condition {
  field: string
  operator: FilterOperator
  value: string | number | boolean | Date | null
}

/** Which records, and what of them. */
export interface Selection {
  /** Such as `'amount>=100,currency=SAR'`, or a list of conditions, which takes care of the quotes. All have to hold. */
  filter?: string | readonly Condition[] | undefined
  /** Only these fields, in this order. */
  fields?: readonly string[] | undefined
}

export interface Paging {
  cursor?: string | undefined
  /** Up to 1000; of lists that go on by themselves, how many are fetched at a time. */
  limit?: number | undefined
}

/** A field of a dataset to create. */
export interface NewField {
  name: string
  type: FieldType
  required?: boolean
  description?: string
}

/** One append brings no more bytes than this, so that the limit of a request is far. */
const batchBytes = datasetLimits.appendBytes / 2

/**
 * The platform data API (open-api §4.2) for a program that acts for an account, with exactly that account's permissions.
 *
 * Every method throws `SoukApiError` when Souk refuses, `SoukConnectionError` when there is no answer, and the reason of
 * `options.signal` when that is aborted.
 *
 * @example
 * const platform = new SoukPlatform({ baseUrl: 'http://localhost:7070', apiKey: process.env.SOUK_API_KEY ?? '' })
 * for await (const trade of platform.datasets.records(`${projectId}.trades`, { filter: 'amount>=100' })) …
 */
export class SoukPlatform {
  readonly datasets: Datasets
  readonly projects: Projects
  readonly #connection: PlatformConnection

  /** @throws TypeError when a setting is missing or cannot be right. */
  constructor(options: SoukPlatformOptions) {
    this.#connection = {
      baseUrl: readBaseUrl(options.baseUrl, '/api/v1'),
      credentials: credentialsOf(options),
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      timeout: options.timeout ?? 10_000,
      maxRetries: options.maxRetries ?? 2,
    }
    this.datasets = new Datasets(this.#connection)
    this.projects = new Projects(this.#connection)
  }

  /** Whose key or token this is. */
  async me(options?: CallOptions): Promise<Identity> {
    return call(this.#connection, 'whoAmI', {}, options)
  }
}

/** The projects of the account. */
export class Projects {
  readonly #connection: PlatformConnection

  constructor(connection: PlatformConnection) {
    this.#connection = connection
  }

  /** One page, newest first. */
  async list(paging: Paging = {}, options?: CallOptions): Promise<PlatformPage<PlatformProject>> {
    return call(this.#connection, 'pageProjects', given({ ...paging }), options)
  }

  /** All, page after page. */
  iterate(paging: Paging = {}, options?: CallOptions): AsyncGenerator<PlatformProject, void> {
    return pages((cursor) => this.list({ limit: 1000, ...paging, ...cursor }, options))
  }

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

  /** One page of the datasets of all projects, or of one. */
  async list(
    { projectId, ...paging }: Paging & { projectId?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<PlatformPage<Dataset>> {
    return call(this.#connection, 'listDatasets', given({ projectId, ...paging }), options)
  }

  /** All of them, page after page. */
  iterate(
    selection: Paging & { projectId?: string | undefined } = {},
    options?: CallOptions,
  ): AsyncGenerator<Dataset, void> {
    return pages((cursor) => this.list({ limit: 1000, ...selection, ...cursor }, options))
  }

  /** A dataset with its schema. */
  async get(datasetId: string, options?: CallOptions): Promise<DatasetDetail> {
    return call(this.#connection, 'getDataset', { datasetId }, options)
  }

  /** Creates a dataset. Its schema does not change afterwards. */
  async create(
    dataset: { projectId: string; name: string; description?: string; fields: readonly NewField[] },
    options?: CallOptions,
  ): Promise<DatasetDetail> {
    const fields = dataset.fields.map((field) => ({ ...field }))
    return call(this.#connection, 'createDataset', { ...dataset, fields }, options)
  }

  /** Deletes a dataset with all its records, for ever. */
  async delete(datasetId: string, options?: CallOptions): Promise<boolean> {
    return call(this.#connection, 'deleteDataset', { datasetId }, options)
  }

  /** One page of records, newest first. */
  async page<T extends object = DatasetRecord>(
    datasetId: string,
    selection: Selection & Paging = {},
    options?: CallOptions,
  ): Promise<PlatformPage<T>> {
    const { cursor, limit } = selection
    const parameters = given({ datasetId, ...selected(selection), cursor, limit })
    return (await call(this.#connection, 'listRecords', parameters, options)) as PlatformPage<T>
  }

  /**
   * All records, newest first, page after page: each that is there at the beginning exactly once. `limit` is the size of a
   * page. For very many, `export` is faster, and of one moment.
   */
  records<T extends object = DatasetRecord>(
    datasetId: string,
    selection: Selection & Paging = {},
    options?: CallOptions,
  ): AsyncGenerator<T, void> {
    return pages((cursor) => this.page<T>(datasetId, { limit: 1000, ...selection, ...cursor }, options))
  }

  /**
   * All records as of one moment, newest first, as they arrive. Ending the loop early ends the export.
   * @throws SoukConnectionError also when the export breaks off: it never ends as if it were whole
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
   * The same as bytes, in the format that is asked for, to be handed on to a file. Of CSV, `formulas: 'keep'` leaves texts as
   * they are that a spreadsheet would take for a formula; otherwise they get an apostrophe in front.
   */
  async exportStream(
    datasetId: string,
    selection: Selection & { format?: 'ndjson' | 'csv'; formulas?: 'escape' | 'keep' } = {},
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    const { format, formulas } = selection
    const parameters = given({ datasetId, ...selected(selection), format, formulas })
    const answer = await opened(this.#connection, 'exportRecords', parameters, options)
    if (!answer.body) throw new TypeError('the fetch of this client gives no stream; exports need one')
    return watched(answer.body, options?.signal)
  }

  /**
   * Appends records, as many as there are, up to 1000 at a time. Each batch is stored as a whole or not at all, and once,
   * however often it has to be sent.
   *
   * @returns how many were stored
   * @throws AppendInterruptedError when batches before the one that failed have been stored
   */
  async append(
    datasetId: string,
    records: Iterable<object> | AsyncIterable<object>,
    options?: CallOptions,
  ): Promise<{ appended: number }> {
    let appended = 0
    try {
      for await (const batch of batches(records)) {
        const parameters = { datasetId, records: batch, batchId: crypto.randomUUID() }
        appended += (await call(this.#connection, 'appendRecords', parameters, options)).appended
      }
    } catch (error) {
      throw appended === 0 ? error : new AppendInterruptedError(appended, error)
    }
    return { appended }
  }

  /** Deletes the records that a filter picks, for ever; `recordId=…` picks one. */
  async deleteRecords(
    datasetId: string,
    filter: NonNullable<Selection['filter']>,
    options?: CallOptions,
  ): Promise<{ deleted: number }> {
    return call(this.#connection, 'deleteRecords', { datasetId, filter: filterText(filter) }, options)
  }
}

/** What the calls of one client share. */
interface PlatformConnection extends Transport {
  readonly credentials: Record<string, string>
}

function credentialsOf({ apiKey, token }: SoukPlatformOptions): Record<string, string> {
  if (token === undefined) {
    requireText('apiKey', apiKey)
    return { 'x-api-key': apiKey }
  }
  if (apiKey !== undefined)
    throw new TypeError('apiKey and token are both given; the token would decide alone: give one')
  requireText('token', token)
  return { authorization: `Bearer ${token}` }
}

type Given<O extends Operation> = { [K in keyof ParametersOf<O>]: ParametersOf<O>[K] | undefined }

/** Calls an operation whose answer is JSON. */
async function call<N extends PlatformOperationName>(
  connection: PlatformConnection,
  name: N,
  parameters: Partial<Given<Operations[N]>>,
  options: CallOptions = {},
): Promise<ResultOf<Operations[N]>> {
  return repeated(connection, name, options, async () => {
    const { answer, text } = await send(connection, name, parameters, options, async (answer) => ({
      answer,
      text: await answer.text(),
    }))
    const result = readJson(text)
    if (answer.status !== 200 || result === undefined) throw refusalOf(connection, name, answer, text)
    return result as ResultOf<Operations[N]>
  })
}

/** Calls an operation whose answer is a stream, up to its first byte. */
async function opened(
  connection: PlatformConnection,
  name: PlatformOperationName,
  parameters: object,
  options: CallOptions = {},
): Promise<FetchAnswer> {
  return repeated(connection, name, options, async () => {
    const { answer, text } = await send(connection, name, parameters, options, async (answer) => ({
      answer,
      text: answer.status === 200 ? undefined : await answer.text(),
    }))
    if (text !== undefined) throw refusalOf(connection, name, answer, text)
    return answer
  })
}

async function repeated<T>(
  { clock, random, maxRetries: usual }: PlatformConnection,
  name: PlatformOperationName,
  options: CallOptions,
  once: () => Promise<T>,
): Promise<T> {
  const maxRetries = options.maxRetries ?? usual
  for (let attempt = 1; ; attempt++) {
    try {
      return await once()
    } catch (failure) {
      if (attempt > maxRetries || !mayRepeat(failure, retryRule(platformOperations[name]))) throw failure
      const pause = pauseBefore(attempt, failure, random())
      if (pause === undefined) throw failure
      await clock.sleep(pause, options.signal)
    }
  }
}

async function send<T>(
  connection: PlatformConnection,
  name: PlatformOperationName,
  parameters: object,
  options: CallOptions,
  read: (answer: FetchAnswer) => Promise<T>,
): Promise<T> {
  const { method, path, body: bodied } = platformOperations[name] as Operation
  const rest = new Map<string, unknown>(Object.entries(parameters))
  const target = path.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = rest.get(part)
    requireText(part, value)
    rest.delete(part)
    return encodeURIComponent(value)
  })
  const query = bodied ? '' : encodeForm([...rest].map(([part, value]) => [part, String(value)]))
  const body = bodied && JSON.stringify(Object.fromEntries(rest))
  const headers = {
    ...connection.credentials,
    accept: 'application/json, application/x-ndjson, text/csv',
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
    read,
    lost:
      retryRule(platformOperations[name]) === 'ifNotExecuted'
        ? 'It may have been carried out: look before you repeat it.'
        : undefined,
  })
}

/** What a problem document says (RFC 9457). */
interface Problem {
  code: string
  detail: string
  requestId?: string
  data?: Record<string, unknown>
}

function refusalOf(
  connection: PlatformConnection,
  name: PlatformOperationName,
  answer: FetchAnswer,
  text: string,
): SoukApiError {
  const found = readJson(text) as Partial<Problem> | undefined
  const problem = typeof found?.code === 'string' ? (found as Problem) : undefined
  return new SoukApiError({
    operation: name,
    status: answer.status,
    code: problem?.code,
    msg: problem?.detail ?? strangeAnswer(answer, text),
    requestId: answer.headers.get('x-request-id') ?? problem?.requestId,
    data: problem?.data,
    retryAfter: readRetryAfter(answer.headers.get('retry-after'), connection.clock.now()),
    advice: problem ? advices[problem.code] : `Check baseUrl, ${connection.baseUrl}: the address in front of /api/v1.`,
  })
}

const advices: Record<string, string> = {
  api_key_invalid:
    'An account has one key, which ends when it is refreshed: the console shows under Profile, API Key Management how this one ends.',
  token_invalid: 'A token lives for an hour. A program that runs for longer takes an API key.',
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

/** Without what is undefined. */
function given<T extends object>(parameters: T): T {
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

/** Records in portions that one append takes. */
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

/** Lines of a text that arrives in pieces. The last one has its line end too, or the text broke off. */
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
  if (rest !== '') throw brokenOff()
}

/** The same stream; its break is told as every failure of a connection is, and the signal still ends it. */
function watched(stream: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  const giveUp = () => void reader.cancel(signal?.reason).catch(() => {})
  signal?.addEventListener('abort', giveUp, { once: true })
  const forget = () => signal?.removeEventListener('abort', giveUp)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (signal?.aborted) return controller.error(signal.reason)
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (cause) {
        controller.error(signal?.aborted ? signal.reason : brokenOff(cause))
      }
      forget()
    },
    cancel(reason) {
      forget()
      return reader.cancel(reason)
    },
  })
}

function brokenOff(cause?: unknown): SoukConnectionError {
  return new SoukConnectionError('exportRecords', 'the export broke off before its end.', false, cause)
}
