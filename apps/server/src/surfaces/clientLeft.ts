import type { ServerResponse } from 'node:http'
import { SoukError } from '@souk/contract'

/** Returns a signal that is aborted when the client closes the connection before it has the response. */
export function clientLeft(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  // The client cannot read this error, but it is counted.
  const leave = () => leaving.abort(new SoukError('parameter_malformed', 'The client has closed the connection.'))
  if (response.destroyed) leave()
  else response.once('close', () => !response.writableFinished && leave())
  return leaving.signal
}
