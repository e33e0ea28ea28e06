import type { MiniAppObserver } from '@souk/host-view'
import { ApiError } from '@souk/shell/apiError'
import type { Device, HostMethods } from '@souk/shell/host'

type Start = { path: string; query: Record<string, string> } | undefined

/** The host of a mini app that is replayed. */
interface ReplayHost {
  methods: HostMethods
  /** Answers a call from the recording; undefined for one that is drawn or stored here. */
  answer(method: string, params: unknown): Promise<unknown> | undefined
  start: Start
  device: Partial<Device> | undefined
  /** Reports what the mini app does; undefined if that is not needed. */
  observer: MiniAppObserver | undefined
}

/** Calls that only show something, or whose result the mini app has made itself. */
const local = new Set([
  'setStorage',
  'removeStorage',
  'clearStorage',
  'showToast',
  'hideToast',
  'showLoading',
  'hideLoading',
  'hideModal',
  'hideActionSheet',
  'previewImage',
  'closePreviewImage',
  'reportEvent',
  'reportCustomEvent',
])

interface Events {
  /** Called before each start, with its first page. */
  onStart(start: Start): void
  onRestart(): void
}

export async function createReplayHost(development: HostMethods, { onStart, onRestart }: Events): Promise<ReplayHost> {
  const { start, device, isWatched } = await post<Pick<ReplayHost, 'start' | 'device'> & { isWatched: boolean }>(
    'start',
  )
  const none = async () => ({})
  return {
    start,
    device,
    observer: isWatched ? await createReporter() : undefined,
    methods: {
      ...development,
      async readStorage() {
        const launch = await post<{ storage: [string, string][]; start: Start }>('launch')
        onStart(launch.start)
        return launch.storage
      },
      // The mini app keeps a copy while it runs.
      setStorage: none,
      removeStorage: none,
      clearStorage: none,
      // Its analytics, which only a host collects.
      reportEvent: none,
      reportCustomEvent: none,
    },
    answer: (method, params) => (local.has(method) ? undefined : answer(method, params, onRestart)),
  }
}

/** Creates the observer that sends what it sees to the development server, in its order. */
async function createReporter(): Promise<MiniAppObserver> {
  const { createInspection } = await import('@souk/host-view/inspector')
  let sent: Promise<unknown> = Promise.resolve()
  return createInspection((entries) => {
    sent = sent.then(() => post('report', { entries }))
  })
}

async function answer(method: string, params: unknown, onRestart: () => void): Promise<unknown> {
  const answered = await post<{ result: unknown } | { errMsg: string }>('call', { method, params })
  if ('errMsg' in answered) throw new ApiError(answered.errMsg)
  if (method === 'restartMiniApp') onRestart()
  return answered.result
}

async function post<R>(name: string, body: object = {}): Promise<R> {
  const response = await fetch(`/__souk/replay/${name}`, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as R
}
