import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { second } from '@souk/contract'
import { ConfigError } from './config.ts'

/** Interval of progress lines that do not replace each other. */
const logInterval = 10 * second

/** Returns a number of bytes for people. */
export const formatSize = (bytes: number) => `${(bytes / 1_000_000).toFixed(bytes < 1_000_000 ? 3 : 1)} MB`

/** Shows on stderr what is being done: one line on a terminal, otherwise a line every ten seconds. */
export class ProgressLine {
  readonly #interrupt: AbortSignal
  #lastLine = performance.now()

  /** @param interrupt makes `show` throw, which ends the work */
  constructor(interrupt: AbortSignal) {
    this.#interrupt = interrupt
  }

  /**
   * @param bytes size of what is done of the table, which is shown in MB
   * @throws the reason of the interrupt
   */
  readonly show = (table: string, bytes: number): void => {
    this.#interrupt.throwIfAborted()
    const line = bytes === 0 ? table : `${table}: ${formatSize(bytes)}`
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
    else if (performance.now() - this.#lastLine > logInterval) {
      this.#lastLine = performance.now()
      process.stderr.write(`${line}\n`)
    }
  }

  get isInterrupted(): boolean {
    return this.#interrupt.aborted
  }

  /** Prints a sentence that stays. */
  say(sentence: string): void {
    this.clear()
    process.stderr.write(`${sentence}\n`)
  }

  /** Removes the line from the terminal. */
  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  }
}

/**
 * Asks for the passphrase of a backup without showing it.
 * @param twice whether a second input must match, because a mistake would make the backup useless
 * @throws ConfigError without a terminal, or if the inputs differ
 */
export async function askPassphrase({ twice }: { twice: boolean }): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new ConfigError('There is no terminal to ask for the passphrase: set SOUK_BACKUP_PASSPHRASE.')
  }
  const passphrase = await askHidden('Passphrase of the backup: ')
  if (twice && (await askHidden('The same again: ')) !== passphrase) {
    throw new ConfigError('The passphrases differ. Start again.')
  }
  return passphrase
}

function askHidden(question: string): Promise<string> {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nothing, terminal: true })
  // Only now, because the terminal shows what is typed before.
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    terminal.once('line', (line) => {
      resolve(line)
      terminal.close()
    })
    terminal.once('SIGINT', () => terminal.close())
    terminal.once('close', () => {
      process.stderr.write('\n')
      // Without effect after a line; otherwise Ctrl-C or Ctrl-D.
      reject(new ConfigError('Interrupted.'))
    })
  })
}
