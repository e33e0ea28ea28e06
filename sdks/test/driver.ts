import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Command } from './languages.ts'

/** The answer of a client: a result with the names on the wire, or an error. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own result; a wrong access fails the test.
  result?: any
  /** The attempts of several calls, in the answer to the first one. */
  attempts?: {
    operation: string
    method: string
    server: string
    path: string
    number: number
    retryReason?: string | null
    status?: number | null
    durationMs: number
    requestId?: string | null
    error?: string | null
  }[]
  error?: {
    kind: 'api' | 'response' | 'connection' | 'callback' | 'processing' | 'interrupted'
    /** Class of the error. */
    type: string
    status?: number
    code?: string
    notSent?: boolean
    /** The invalid field of a response. */
    path?: string
    /** The last known state of a trade that is still processing. */
    trade?: object
    /** The number of records that an interrupted append has stored. */
    appended?: number
    message: string
  }
}

/** A client in another language, in a process that executes calls. */
export interface Driver {
  call(name: string, parameters: object): Promise<Answer>
  close(): Promise<void>
}

/** Starts a driver. `settings` are SOUK_URL, SOUK_APPID, SOUK_SECRET and SOUK_API_KEY. */
export function startDriver({ command, args, cwd, env }: Command, settings: Record<string, string>): Driver {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async call(name, parameters) {
      child.stdin.write(`${JSON.stringify({ call: name, parameters })}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`The driver ended: ${errors}`)
      return JSON.parse(value) as Answer
    },
    async close() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
