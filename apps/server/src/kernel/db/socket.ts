import { once } from 'node:events'
import { connect, isIP, type NetConnectOpts, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { second } from '@souk/contract'

/** The address of a database, and `sslmode` and `sslnegotiation` as postgres.js parsed them. */
export interface Place {
  host: string
  port: number
  /** Path of a Unix socket, used instead of host and port. */
  path: string | undefined
  ssl: string | boolean | object
  sslnegotiation: unknown
}

/** Node sends a probe each second from then on, and ends the socket after ten without an answer. */
export const keepAliveInitialDelay = 5 * second

/** The message SSLRequest of PostgreSQL's protocol. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Opens a socket to a database, with TLS if requested. `signal` destroys the socket even after it is open.
 * @throws the system's error, or an Error about TLS
 */
export async function openSocket(place: Place, signal: AbortSignal): Promise<Socket> {
  const { host, port, path, ssl } = place
  const address: NetConnectOpts = path ? { path } : { host, port }
  const socket = connect({ ...address, signal, noDelay: true, keepAlive: true, keepAliveInitialDelay })
  // An error between two steps destroys the socket, so the next step fails.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect')
    return ssl ? await startTls(socket, place) : socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function startTls(socket: Socket, { host, ssl, sslnegotiation }: Place): Promise<Socket> {
  if (sslnegotiation !== 'direct') {
    socket.write(sslRequest)
    const onEnd = () => socket.destroy(new Error('the database closed the connection before the TLS handshake'))
    socket.once('end', onEnd)
    const [response] = (await once(socket, 'data')) as [Buffer]
    if (response.length !== 1) throw new Error('the response to the TLS request is too long')
    if (response.toString() !== 'S') {
      if (ssl === 'prefer') return socket.off('end', onEnd)
      throw new Error('the database does not support TLS')
    }
    socket.off('end', onEnd)
  }
  const options: ConnectionOptions = { socket }
  if (!isIP(host)) options.servername = host
  if (sslnegotiation === 'direct') options.ALPNProtocols = ['postgresql']
  // As in libpq, these modes encrypt without verifying the server.
  if (ssl === 'require' || ssl === 'allow' || ssl === 'prefer') options.rejectUnauthorized = false
  else if (typeof ssl === 'object') Object.assign(options, ssl)
  const encrypted = connectTls(options)
  await once(encrypted, 'secureConnect')
  return encrypted
}
