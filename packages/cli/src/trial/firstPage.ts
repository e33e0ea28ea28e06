import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { lookup } from 'mrmime'
import type { ChromiumEvent } from './chromium.ts'
import { openTab } from './tab.ts'

/** The first page of a mini app in a browser. */
export interface ShownPage {
  /** Whether the page drew anything in time. */
  readonly isShown: boolean
  /** Uncaught errors, the first ones first. Failures of requests are not among them: the backend may be elsewhere. */
  readonly errors: readonly string[]
}

/** How long a page may take to draw something, in ms, and after an error. */
const longestStart = 30_000
const longestAfterError = 5000
/** How long errors are collected after the page was drawn, in ms. */
const settling = 1500
const pollInterval = 100

/** True if a document has drawn the page: elements, and not the message about a page that cannot be loaded. */
const isDrawn = `(() => {
  const page = document.querySelector('neu-page')
  return page?.querySelector('.neu-page-failed') === null && [...page.querySelectorAll('*')].some((each) => {
    const { width, height } = each.getBoundingClientRect()
    return width > 0 && height > 0
  })
})()`

/**
 * Opens the first page of a mini app, and waits until it is drawn.
 * @param path of Chromium
 * @throws if Chromium cannot be started
 */
export async function openFirstPage(path: string, url: string): Promise<ShownPage> {
  const errors: string[] = []
  let firstError = Number.POSITIVE_INFINITY
  const onEvent = ({ method, params }: ChromiumEvent) => {
    if (method !== 'Runtime.exceptionThrown') return
    const message = messageOf(params.exceptionDetails as ExceptionDetails)
    if (message === undefined || errors.includes(message)) return
    errors.push(message)
    firstError = Math.min(firstError, Date.now())
  }
  const tab = await openTab(path, { width: 375, height: 667 }, onEvent)
  const isShown = async () => (await tab.evaluate(isDrawn)).includes(true)
  try {
    await tab.open(url)
    const start = Date.now()
    const isLate = () => Date.now() - start > longestStart || Date.now() - firstError > longestAfterError
    while (!(await isShown()) && !isLate()) await wait(pollInterval)
    await wait(settling)
    return { isShown: await isShown(), errors }
  } finally {
    await tab.close()
  }
}

interface ExceptionDetails {
  readonly text: string
  readonly exception?: { readonly subtype?: string; readonly description?: string }
}

/** Returns the message of an uncaught error; undefined for failures of functions such as `request:fail`. */
function messageOf({ text, exception }: ExceptionDetails): string | undefined {
  const message = exception?.description ?? text
  if (exception?.subtype !== 'error' || /^(?:\w{1,60}: ?)?\w{1,60}:fail\b/.test(message)) return undefined
  return message.split('\n')[0]
}

/** Serves a folder on this machine. */
export async function serveFolder(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = normalize(decodeURIComponent(pathname === '/' ? '/index.html' : pathname))
    const bytes = await readFile(join(folder, path)).catch(() => undefined)
    if (bytes === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'Content-Type': lookup(path) ?? 'application/octet-stream' }).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
