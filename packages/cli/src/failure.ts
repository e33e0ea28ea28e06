/** Exit statuses: 0 success, 1 refused or failed, 2 usage or environment error. */
export type ExitStatus = 0 | 1 | 2

/** Ends a command. `message` says what went wrong and why, `advice` what to do. */
export class Failure extends Error {
  readonly status: 1 | 2
  readonly advice: string | undefined

  constructor(status: 1 | 2, message: string, advice?: string) {
    super(message)
    this.name = 'Failure'
    this.status = status
    this.advice = advice
  }
}

/** The server is temporarily unreachable. */
export class Unreachable extends Failure {
  constructor(message: string, advice?: string) {
    super(2, message, advice)
    this.name = 'Unreachable'
  }
}

/** Returns the default advice for an error of the server at `url`: its page in the documentation. */
export const pageOfError = (url: string, code: string) => `What to do: ${url}/docs/errors/${code}`
