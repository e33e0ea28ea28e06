import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SoukError } from '@souk/contract'
import { newId } from '../kernel/id.ts'
import { helpLink, problemDetails } from './problem.ts'

/**
 * Answers a request that is not valid HTTP, and closes the connection, because the next request cannot be found in what
 * follows. The surface is not known, so the error is in problem details.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  endRequest(socket, refusalOf(error.code))
}

/** Answers the request that a connection is receiving with problem details, and closes the connection. */
export function endRequest(socket: Socket, refusal: SoukError): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy()
  const requestId = newId()
  const body = JSON.stringify(problemDetails(refusal, requestId))
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${reasonPhrases[refusal.code as keyof typeof reasonPhrases]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Link: ${helpLink(refusal.code)}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

const reasonPhrases = {
  request_malformed: 'Bad Request',
  unavailable: 'Service Unavailable',
  request_timeout: 'Request Timeout',
  headers_too_large: 'Request Header Fields Too Large',
}

function refusalOf(code: string | undefined): SoukError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new SoukError('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new SoukError('headers_too_large')
  return new SoukError('request_malformed')
}

/** Ignores expectations other than `100-continue`. Node would answer 417 without a body. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
}
