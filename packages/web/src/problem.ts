/** What the server refused (a problem document, RFC 9457), or that it could not be reached (`unreachable`). */
export class Problem extends Error {
  /** A word of the error registry, or `unreachable`, or `unreadable` for an answer that is not Souk's. */
  readonly code: string
  /** 0 where there was no answer. */
  readonly status: number
  readonly requestId: string | undefined
  readonly data: Readonly<Record<string, unknown>>

  constructor(facts: { code: string; status: number; detail: string; requestId?: string; data?: object }) {
    super(facts.detail)
    this.name = 'Problem'
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.data = { ...facts.data }
  }
}

/** Whatever was thrown, as a problem that can be shown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem({ code: 'internal', status: 0, detail: error instanceof Error ? error.message : String(error) })
}
