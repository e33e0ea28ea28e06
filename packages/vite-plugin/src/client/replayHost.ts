import { ApiError } from '@souk/shell/apiError'
import type { HostMethods } from '@souk/shell/host'

/** The host of a mini app that is replayed. */
interface ReplayHost {
  methods: HostMethods
  /** Answers a call from the recording; undefined for one that is drawn or stored here. */
  answer(method: string, params: unknown): Promise<unknown> | undefined
  start: { path: string; query: Record<string, string> } | undefined
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

export async function createReplayHost(development: HostMethods, onRestart: () => void): Promise<ReplayHost> {
  const { start } = await post<Pick<ReplayHost, 'start'>>('start')
  const none = async () => ({})
  return {
    start,
    methods: {
      ...development,
      // The mini app keeps a copy while it runs.
      readStorage: async () => (await post<{ storage: [string, string][] }>('launch')).storage,
      setStorage: none,
      removeStorage: none,
      clearStorage: none,
    },
    answer: (method, params) => (local.has(method) ? undefined : answer(method, params, onRestart)),
  }
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
