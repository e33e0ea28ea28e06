import { type ChromiumEvent, startChromium } from './chromium.ts'

/** A page in Chromium, as on a phone, with its frames. */
export interface Tab {
  open(url: string): Promise<void>
  /** Sends a command of the DevTools protocol to the page. @throws if Chromium refuses it, or ends */
  send(method: string, params?: object): Promise<Record<string, unknown>>
  /** Evaluates an expression in the documents of the page and of all frames, and returns the values. */
  evaluate(expression: string): Promise<unknown[]>
  close(): Promise<void>
}

/**
 * Starts Chromium with an empty page.
 * @param path of Chromium
 * @param size of the screen in px
 * @param onEvent called with the events of the page and its frames
 * @throws if Chromium cannot be started
 */
export async function openTab(
  path: string,
  { width, height }: { width: number; height: number },
  onEvent: (event: ChromiumEvent) => void = () => {},
): Promise<Tab> {
  const contexts = new Map<string, { id: number; sessionId: string | undefined }>()
  const chromium = await startChromium(path, (event) => {
    const { method, params, sessionId } = event
    if (method === 'Target.attachedToTarget') void watch(String(params.sessionId))
    else if (method === 'Runtime.executionContextCreated') {
      const { id } = params.context as { id: number }
      contexts.set(`${sessionId} ${id}`, { id, sessionId })
    } else if (method === 'Runtime.executionContextDestroyed')
      contexts.delete(`${sessionId} ${params.executionContextId}`)
    onEvent(event)
  })
  /** Watches a page, or a frame in a process of its own. */
  const watch = async (sessionId: string) => {
    const autoAttach = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }
    await Promise.all([
      chromium.send('Runtime.enable', {}, sessionId),
      chromium.send('Target.setAutoAttach', autoAttach, sessionId),
    ]).catch(() => {})
  }
  try {
    const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank' })
    const attached = await chromium.send('Target.attachToTarget', { targetId, flatten: true })
    const sessionId = String(attached.sessionId)
    const send: Tab['send'] = (method, params) => chromium.send(method, params, sessionId)
    await watch(sessionId)
    await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: true })
    return {
      send,
      open: async (url) => void (await send('Page.navigate', { url })),
      async evaluate(expression) {
        const answers = [...contexts.values()].map(({ id, sessionId }) =>
          chromium.send('Runtime.evaluate', { expression, contextId: id, returnByValue: true }, sessionId).then(
            ({ result }) => [(result as { value?: unknown }).value],
            // The frame has been replaced.
            () => [],
          ),
        )
        return (await Promise.all(answers)).flat()
      },
      close: () => chromium.close(),
    }
  } catch (error) {
    await chromium.close()
    throw error
  }
}
