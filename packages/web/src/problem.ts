/** A failed request: the problem document of the server (RFC 9457), or `unreachable` if there was no response. */
export class Problem extends Error {
  /** Code from the error registry, `unreachable`, or `unreadable` for a response that is not from Souk. */
  readonly code: string
  /** 0 if there was no response. */
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

/** Converts any thrown value to a Problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem({ code: 'internal', status: 0, detail: error instanceof Error ? error.message : String(error) })
}
