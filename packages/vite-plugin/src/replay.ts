/** Answers a mini app from a recording, instead of the development host and backends. */
export interface Replay {
  /** The page to start with; undefined for the launch page. */
  readonly start: { path: string; query: Record<string, string> } | undefined
  /** Called when the mini app starts, and starts again. Returns its storage. */
  launch(): { storage: [key: string, data: string][] }
  call(method: string, params: unknown): Promise<ReplayedAnswer>
  /** Returns `missing`, a reason, for a request without a recorded response. */
  request(request: ReplayedRequest): Promise<ReplayedResponse | { missing: string }>
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
