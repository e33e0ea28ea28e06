import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { lookup } from 'mrmime'
import { type ChromiumEvent, startChromium } from './chromium.ts'

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
  const contexts = new Map<string, { id: number; sessionId: string | undefined }>()
  const onEvent = ({ method, params, sessionId }: ChromiumEvent) => {
    if (method === 'Target.attachedToTarget') void watch(String(params.sessionId))
    else if (method === 'Runtime.exceptionThrown') {
      const message = messageOf(params.exceptionDetails as ExceptionDetails)
      if (message === undefined || errors.includes(message)) return
      errors.push(message)
      firstError = Math.min(firstError, Date.now())
    } else if (method === 'Runtime.executionContextCreated') {
      const { id } = params.context as { id: number }
      contexts.set(`${sessionId} ${id}`, { id, sessionId })
    } else if (method === 'Runtime.executionContextDestroyed') {
      contexts.delete(`${sessionId} ${params.executionContextId}`)
    }
  }
  const chromium = await startChromium(path, onEvent)
  /** Watches a page, or a frame in a process of its own. */
  const watch = async (sessionId: string) => {
    const autoAttach = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }
    await Promise.all([
      chromium.send('Runtime.enable', {}, sessionId),
      chromium.send('Target.setAutoAttach', autoAttach, sessionId),
    ]).catch(() => {})
  }
  const isShown = async () => {
    const answers = [...contexts.values()].map(({ id, sessionId }) =>
      chromium.send('Runtime.evaluate', { expression: isDrawn, contextId: id, returnByValue: true }, sessionId).then(
        ({ result }) => (result as { value?: unknown }).value === true,
        // The frame has been replaced.
        () => false,
      ),
    )
    return (await Promise.all(answers)).includes(true)
  }
  try {
    const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await chromium.send('Target.attachToTarget', { targetId, flatten: true })
    await watch(String(sessionId))
    const size = { width: 375, height: 667, deviceScaleFactor: 1, mobile: true }
    await chromium.send('Emulation.setDeviceMetricsOverride', size, String(sessionId))
    await chromium.send('Page.navigate', { url }, String(sessionId))
    const start = Date.now()
    const isLate = () => Date.now() - start > longestStart || Date.now() - firstError > longestAfterError
    while (!(await isShown()) && !isLate()) await wait(pollInterval)
    await wait(settling)
    return { isShown: await isShown(), errors }
  } finally {
    await chromium.close()
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
