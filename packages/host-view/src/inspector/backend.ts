/** The last requests of a mini app's backend, from the request log. */
export interface BackendRequests {
  requests: {
    requestId: string
    /** ms */
    time: number
    operation: string
    status: number
    /** ms */
    duration: number
    /** Error code, if it failed. */
    code: string | null
    reason: string | null
    /** Set for a wrong sign. */
    diagnosis: unknown
    /** Address of the request in the console. */
    link: string
  }[]
}
