import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { shownUrl } from '@souk/contract/url'
import { Failure } from './failure.ts'

/** File in the data directory, in which a server writes the URL at which programs on its machine reach it. */
const fileName = 'url'

/** Asks the person at the terminal, and returns the answer. Undefined if there is no terminal. */
export type Ask = ((question: string) => Promise<string>) | undefined

/**
 * Returns the URL of Souk without a trailing slash: of SOUK_URL, of the data directory, or as typed at the terminal.
 * @param folder the data directory is the nearest `.souk` in it or above, unless SOUK_DATA_DIR names one
 * @throws Failure 2 if it is unknown or not a URL
 */
export async function findServerUrl(env: NodeJS.ProcessEnv, folder: string, ask: Ask): Promise<string> {
  const given = env.SOUK_URL?.trim()
  if (given) return checkServerUrl(given, 'SOUK_URL')
  const file = env.SOUK_DATA_DIR
    ? resolve(folder, env.SOUK_DATA_DIR, fileName)
    : findAbove(folder, join('.souk', fileName))
  const found = file && readIfPresent(file)
  if (file && found) {
    const url = checkServerUrl(found, file)
    if (isOnThisMachine(url)) return url
    // A folder that comes from others could have it, to get the token.
    throw new Failure(
      2,
      `${file} has a URL of another machine: ${url}`,
      'If it is that of your Souk, set SOUK_URL to it.',
    )
  }
  if (ask) return checkServerUrl(await ask('URL of Souk, such as http://localhost:7070: '), 'The answer')
  const missing = env.SOUK_DATA_DIR ? `${file} is missing` : `${folder} and the folders above have no .souk/${fileName}`
  throw new Failure(
    2,
    `The URL of Souk is unknown: SOUK_URL is not set, and ${missing}.`,
    'Set SOUK_URL to a URL such as http://localhost:7070. A server on this machine writes its URL into its data directory when it starts: set SOUK_DATA_DIR to that.',
  )
}

/** Checks a URL of Souk, and returns it without a trailing slash. @throws Failure 2 that names its source */
export function checkServerUrl(url: string, source: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Failure(
      2,
      `${source} is not an http or https URL: ${shownUrl(url)}`,
      'Set it to a URL such as http://localhost:7070.',
    )
  }
  const { username, password } = new URL(url)
  // fetch would report them, with the password, as a failed connection.
  if (username || password) {
    throw new Failure(2, `${source} contains a user name or a password, which Souk does not use.`, 'Remove it.')
  }
  if (/[?#]/.test(url)) throw new Failure(2, `${source} has a query or a fragment after ${shownUrl(url)}`, 'Remove it.')
  return url.replace(/(?<!\/)\/+$/, '')
}

/** Asks on stderr, so that the output has the result only. @throws Failure 1 after Ctrl-C or Ctrl-D */
export function askOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve, reject) => {
    terminal.once('SIGINT', () => terminal.close())
    terminal.once('close', () => {
      process.stderr.write('\n')
      reject(new Failure(1, 'Interrupted.'))
    })
    terminal.question(question, (answer) => {
      resolve(answer.trim())
      terminal.removeAllListeners('close').close()
    })
  })
}

function isOnThisMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return host === 'localhost' || own.some(({ address }) => address === host)
}

/** Returns the path of a file that exists in this folder or the nearest one above. */
function findAbove(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, name)
    if (readIfPresent(path) !== undefined) return path
    if (at === dirname(at)) return undefined
  }
}

/** Returns undefined if there is no such file, or it cannot be read. */
function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
