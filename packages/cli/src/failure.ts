import { inspect } from 'node:util'

/** Exit statuses: 0 success, 1 refused or failed, 2 usage or environment error. */
export type ExitStatus = 0 | 1 | 2

/** Code and id with which a server refuses a request. */
export interface Refusal {
  code?: string | undefined
  requestId?: string | undefined
}

/** Ends a command. `message` says what went wrong and why, `advice` what to do. */
export class Failure extends Error {
  readonly status: 1 | 2
  readonly advice: string | undefined
  readonly refusal: Refusal

  constructor(status: 1 | 2, message: string, advice?: string, refusal: Refusal = {}) {
    super(message)
    this.name = 'Failure'
    this.status = status
    this.advice = advice
    this.refusal = refusal
  }
}

/** The server is temporarily unreachable. */
export class Unreachable extends Failure {
  constructor(message: string, advice?: string, refusal?: Refusal) {
    super(2, message, advice, refusal)
    this.name = 'Unreachable'
  }
}

/** Returns the default advice for an error of the server at `url`: its page in the documentation. */
export const pageOfError = (url: string, code: string) => `What to do: ${url}/docs/errors/${code}`

/** Formats what ended a command for standard error: for people, or as one line of JSON. */
export function formatError(error: unknown, json: boolean): string {
  const failure = error instanceof Failure ? error : undefined
  const message = failure ? failure.message : inspect(error)
  const advice = failure?.advice
  if (json) {
    const { code = null, requestId = null } = failure?.refusal ?? {}
    return `${JSON.stringify({ error: { message, advice: advice ?? null, code, requestId } })}\n`
  }
  return failure ? `souk: ${message}\n${advice ? `      ${advice}\n` : ''}` : `${message}\n`
}
