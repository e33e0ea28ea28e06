import type { Operation, ParametersOf, ResultOf } from '@souk/contract'
import { withShownUrls } from '@souk/contract/url'
import type { AdminToken, Environment } from './environment.ts'
import { Failure, pageOfError, Unreachable } from './failure.ts'
import { userAgentOf } from './version.ts'

/** Problem details of Souk. Errors of other servers may also have a code. */
interface Problem {
  code: string
  title?: string
  detail?: string
  requestId?: string
}

type ItemOf<O extends Operation> = ResultOf<O> extends { items: (infer T)[] } ? T : never
interface Page<T> {
  items: T[]
  next: string | null
}

/** Client for the operations of `/console/v1`, as described by the contract. */
export class Server {
  readonly #environment: Environment
  #token: AdminToken | undefined
  /** Empty until the first request. */
  #url = ''

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** @throws Failure 1 for an error of the server, 2 for a usage error; Unreachable if it is temporarily unreachable */
  async call<O extends Operation>(operation: O, parameters: ParametersOf<O>): Promise<ResultOf<O>> {
    return this.#resultOf(await this.#send(operation, parameters))
  }

  /** Reads all pages of a list. @throws Failure like `call` */
  async list<O extends Operation>(operation: O, parameters: ParametersOf<O>): Promise<ItemOf<O>[]> {
    const found: ItemOf<O>[] = []
    let cursor: string | null | undefined
    do {
      const input = { ...parameters, limit: 200, ...(cursor && { cursor }) }
      const page = (await this.call(operation, input)) as Page<ItemOf<O>>
      found.push(...page.items)
      cursor = page.next
    } while (cursor)
    return found
  }

  /** Calls an operation with a file. @throws Failure like `call` */
  async upload<O extends Operation>(
    operation: O,
    parameters: ParametersOf<O>,
    file: Uint8Array<ArrayBuffer>,
  ): Promise<ResultOf<O>> {
    return this.#resultOf(await this.#send(operation, parameters, { file }))
  }

  /**
   * Calls an operation that responds with a stream: events, or an export. The stream throws Unreachable if it breaks
   * off, and the reason of the signal if that ends it.
   *
   * @throws Failure like `call`
   */
  async stream<O extends Operation>(
    operation: O,
    parameters: ParametersOf<O>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.#send(operation, parameters, { signal })
    const [mediaType = 'text/event-stream'] = operation.media ?? []
    if (!answer.body || !answer.headers.get('content-type')?.startsWith(mediaType)) throw this.#notSouk(answer)
    return ReadableStream.from(this.#chunksOf(answer.body, signal))
  }

  async *#chunksOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      throw signal.aborted ? signal.reason : this.#brokenOff(error)
    }
  }

  async #send(
    operation: Operation,
    parameters: Record<string, unknown>,
    { signal, file }: { signal?: AbortSignal; file?: Uint8Array<ArrayBuffer> } = {},
  ): Promise<Response> {
    this.#token ??= this.#environment.adminToken()
    this.#url ||= await this.#environment.serverUrl()
    const rest = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined))
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest.get(name))
      rest.delete(name)
      return encodeURIComponent(value)
    })
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#token.token}`,
      'user-agent': userAgentOf(this.#url),
    }
    const init: RequestInit = { method: operation.method, headers, redirect: 'manual', ...(signal ? { signal } : {}) }
    let query = ''
    if (operation.method === 'GET' || operation.method === 'DELETE') {
      const { encodeForm } = await import('@souk/contract')
      query = encodeForm([...rest].map(([name, value]) => [name, String(value)]))
    } else if (file) {
      const form = new FormData()
      for (const [name, value] of rest) {
        form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
      }
      form.append('fileData', new Blob([file]), 'release.tar.gz')
      init.body = form
    } else {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(Object.fromEntries(rest))
    }

    let answer: Response
    try {
      answer = await fetch(`${this.#url}${path}${query && `?${query}`}`, init)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw new Unreachable(
        `Souk cannot be reached at ${this.#url}: ${networkReason(error)}.`,
        'Start it with npm start, or set SOUK_URL if it runs elsewhere.',
      )
    }
    if (!answer.ok) throw await this.#refusal(answer)
    return answer
  }

  async #resultOf<T>(answer: Response): Promise<T> {
    const text = await answer.text().catch((error: unknown) => {
      throw this.#brokenOff(error)
    })
    try {
      return JSON.parse(text) as T
    } catch {
      throw this.#notSouk(answer)
    }
  }

  async #refusal(answer: Response): Promise<Failure> {
    const problem: unknown = await answer.json().catch(() => undefined)
    if (!isProblem(problem)) {
      // A proxy answers while Souk restarts, if it limits requests, or after it has waited too long for a response.
      return answer.status === 429 || answer.status >= 500
        ? new Unreachable(
            `Souk cannot be reached at ${this.#url}: a proxy responded with HTTP ${answer.status}.`,
            'Try again later.',
          )
        : this.#notSouk(answer)
    }
    if (problem.code === 'admin_token_invalid') {
      return new Failure(
        2,
        `Souk at ${this.#url} does not accept the admin token of ${this.#token?.source}.`,
        'It belongs to another installation. Set SOUK_DATA_DIR to the data directory of this one, or set SOUK_ADMIN_TOKEN.',
        problem,
      )
    }
    const request = problem.requestId ? `, request ${problem.requestId}` : ''
    const message = `${problem.detail ?? problem.title} (${problem.code}${request})`
    const advice = advices[problem.code] ?? pageOfError(this.#url, problem.code)
    return problem.code === 'unavailable'
      ? new Unreachable(message, undefined, problem)
      : new Failure(answer.status === 401 ? 2 : 1, message, advice, problem)
  }

  #brokenOff(error: unknown): Unreachable {
    return new Unreachable(`Souk at ${this.#url} broke off its response: ${networkReason(error)}.`)
  }

  #notSouk(answer: Response): Failure {
    return new Failure(
      2,
      `The server at ${this.#url} is not Souk: HTTP ${answer.status}, ${answer.headers.get('content-type') ?? 'no content type'}.`,
      'Set SOUK_URL to the URL of Souk.',
    )
  }
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false
  const { code, title, detail = title } = body as Partial<Problem>
  return typeof code === 'string' && typeof detail === 'string'
}

const advices: Record<string, string> = {
  key_not_found: 'List master keys: souk keys status',
  service_token_invalid: 'SOUK_TOKEN must be the token that souk service-accounts add printed, of this installation.',
  service_account_expired: 'Add another service account, and set its token as SOUK_TOKEN.',
  scope_missing: 'Use a service account with a scope that the message names, or the admin token: unset SOUK_TOKEN.',
  service_account_not_found: 'List them: souk service-accounts list --project P',
  app_not_found: 'List mini apps: souk app list',
  release_unsigned: 'souk upload signs releases. Show keys and their states: souk signing-keys list',
  signing_key_not_found: 'List signing keys: souk signing-keys list',
  release_review_required: 'List reviews: souk review list --appid A',
  review_not_found: 'List reviews: souk review list',
  release_version_taken: 'Raise the version in package.json, or set another one with --version.',
  release_limit_reached: 'Delete old releases in the console.',
  user_not_found: 'List users: souk users list. A sandbox can create one: souk sandbox user --nickname N',
  callback_not_found: 'List callbacks of a mini app: souk callbacks list --appid A',
  callback_archived: 'Restore its month on the machine of the server: souk partitions restore NAME',
  capability_missing: 'Grant it: souk app update APPID --capabilities login,payment,notification,activity,file',
  step_up_required: 'Sign in to the console and do this there, or use the admin token, which is not asked.',
  sandbox_only: 'This server runs with SOUK_ENVIRONMENT=live; souk sandbox commands require a sandbox.',
}

/** Describes why a connection failed. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOTFOUND') return 'unknown host'
  // Some messages of fetch contain the URL.
  return withShownUrls(cause instanceof Error ? cause.message || code || cause.name : String(error))
}
