import type { Readable } from 'node:stream'

/** An export as a stream. Destroying the stream ends the query. */
export interface Export {
  mediaType: string
  fileName: string
  stream: Readable
}
