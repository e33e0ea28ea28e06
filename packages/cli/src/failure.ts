/** Exit statuses: 0 went well, 1 refused, 2 cannot run or not understood. */
export type ExitStatus = 0 | 1 | 2

/** Ends a command. `message` says what went wrong and why; `advice` what to do about it. */
export class Failure extends Error {
  readonly status: ExitStatus
  readonly advice: string | undefined

  constructor(status: 1 | 2, message: string, advice?: string) {
    super(message)
    this.name = 'Failure'
    this.status = status
    this.advice = advice
  }
}

/** The server is not there at the moment; later it may be. */
export class Unreachable extends Failure {
  constructor(message: string, advice?: string) {
    super(2, message, advice)
    this.name = 'Unreachable'
  }
}
