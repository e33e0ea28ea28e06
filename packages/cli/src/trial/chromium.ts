import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']

/** Applications that are not in PATH. */
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
]

/** Returns the path of Chromium: that of the variable CHROMIUM, or the first installed one; undefined without any. */
export function findChromium({ CHROMIUM, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter).filter((folder) => isAbsolute(folder))
  const paths = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...applications]
  return CHROMIUM?.trim() || paths.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** An event of the DevTools protocol, or a command that Chromium sends for a page or a frame. */
export interface ChromiumEvent {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

/** A running Chromium, without a window. */
export interface Chromium {
  /** Sends a command of the DevTools protocol. @throws if Chromium refuses it, or ends */
  send(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** Starts Chromium with a new profile. @throws if it cannot be started */
export async function startChromium(path: string, onEvent: (event: ChromiumEvent) => void): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'souk-chromium-'))
  const args = [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-gpu',
    '--in-process-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    // Chromium refuses to run as root with its sandbox, for example in a container of a pipeline.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    'about:blank',
  ]
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const waiting = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>()
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      for (const { reject } of waiting.values()) reject(new Error(reason))
      waiting.clear()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
      resolve()
    }
    child.once('error', (error) => end(`${path} cannot be started: ${error.message}`))
    child.once('exit', (code, signal) => end(`${path} has ended (${signal ?? code})`))
  })
  // The process may have ended before it read a command.
  input.on('error', () => {})
  let rest = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0')
    rest = messages.pop()!
    for (const message of messages) receive(JSON.parse(message))
  })
  const receive = (message: ChromiumEvent & { id?: number; result?: object; error?: { message: string } }) => {
    if (message.id === undefined) return onEvent(message)
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) asked?.reject(new Error(message.error.message))
    else asked?.resolve({ ...message.result })
  }
  let count = 0
  const send: Chromium['send'] = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      if (child.exitCode !== null || child.pid === undefined) return reject(new Error(`${path} does not run`))
      waiting.set(++count, { resolve, reject })
      input.write(`${JSON.stringify({ id: count, method, params, ...(sessionId && { sessionId }) })}\0`)
    })
  return {
    send,
    close: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
