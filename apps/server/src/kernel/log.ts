import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/** Creates a logger that writes one JSON object per line. Log selected fields only, never whole requests. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }
  return destination ? pino(options, destination) : pino(options)
}

/** Lines that cannot be written wait up to this size, in characters; further ones are dropped. */
const maxWaiting = 1024 * 1024

/**
 * Opens a file descriptor for the log of a server, which continues while it cannot be written, for example because the
 * disk is full. Call `flushSync` before the process ends.
 */
export function openLogStream(fd: number) {
  const stream = pino.destination({ dest: fd, sync: false, maxLength: maxWaiting })
  const flush = stream.flushSync.bind(stream)
  let isFailing = false
  // Without a listener, an error would end the process.
  stream.on('error', () => {
    isFailing = true
  })
  stream.on('write', () => {
    isFailing = false
  })
  // It repeats a failing write without end.
  stream.flushSync = () => {
    if (!isFailing) flush()
  }
  return stream
}

/** Keeps lines back until `release`, or until a warning, so that a person at the terminal reads the addresses first. */
export class HeldLines implements DestinationStream {
  readonly #stream: DestinationStream
  #held: string[] | undefined = []

  constructor(stream: DestinationStream) {
    this.#stream = stream
  }

  write(line: string): void {
    if (this.#held && /^\{"level":[123]0,/.test(line)) {
      this.#held.push(line)
      return
    }
    this.release()
    this.#stream.write(line)
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const line of held) this.#stream.write(line)
  }
}
