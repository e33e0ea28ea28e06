/** Answers a mini app from a recording, instead of the development host and backends. */
export interface Replay {
  /** The page to start with; undefined for the launch page. */
  readonly start: ReplayedStart | undefined
  /** The device to show it on, without controls; undefined for the one of the development page. */
  readonly device?: ReplayedDevice | undefined
  /** Called when the mini app starts, and starts again. Returns its storage and its first page. */
  launch(): { storage: [key: string, data: string][]; start: ReplayedStart | undefined }
  call(method: string, params: unknown): Promise<ReplayedAnswer>
  /** Returns `missing`, a reason, for a request without a recorded response. */
  request(request: ReplayedRequest): Promise<ReplayedResponse | { missing: string }>
  /** Called with the entries of an inspection of the mini app, in their order. Without it, nothing is inspected. */
  report?(entries: readonly unknown[]): void
}

interface ReplayedStart {
  path: string
  query: Record<string, string>
}

/** Lengths are in px. */
export interface ReplayedDevice {
  width: number
  height: number
  statusBarHeight: number
  safeAreaBottom: number
  /** BCP 47. */
  language: string
  theme: 'light' | 'dark'
}

/** The answer of the host to a call. */
export type ReplayedAnswer = { result: unknown } | { errMsg: string }

export interface ReplayedRequest {
  method: string
  /** Absolute. */
  url: string
  /** As the inspector describes it. */
  body?: string
}

export interface ReplayedResponse {
  /** 0 for a request that failed, for the reason `error`. */
  status: number
  headers: [name: string, value: string][]
  body: string
  error?: string
}
