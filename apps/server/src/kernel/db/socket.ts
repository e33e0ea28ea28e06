import { once } from 'node:events'
import { connect, isIP, type NetConnectOpts, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** Where a database listens, and what postgres.js made of `sslmode` and `sslnegotiation`. */
export interface Place {
  host: string
  port: number
  /** Of a Unix socket; takes the place of host and port. */
  path: string | undefined
  ssl: string | boolean | object
  sslnegotiation: unknown
}

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Opens the way to a database, enciphered where that is asked for. `signal` destroys the socket also once it is open.
 * @throws the system's error, or Error about TLS.
 */
export async function openSocket(place: Place, signal: AbortSignal): Promise<Socket> {
  const { host, port, path, ssl } = place
  const address: NetConnectOpts = path ? { path } : { host, port }
  const socket = connect({ ...address, signal, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })
  // An error between two steps, which nobody awaits, shows in the next one: the socket is destroyed.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect')
    return ssl ? await encipher(socket, place) : socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function encipher(socket: Socket, { host, ssl, sslnegotiation }: Place): Promise<Socket> {
  if (sslnegotiation !== 'direct') {
    socket.write(SSL_REQUEST)
    const hungUp = () => socket.destroy(new Error('the database hung up before the TLS handshake'))
    socket.once('end', hungUp)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (answer.length !== 1) throw new Error('the answer to the request for TLS is too long')
    if (answer.toString() !== 'S') {
      if (ssl === 'prefer') return socket.off('end', hungUp)
      throw new Error('the database does not speak TLS')
    }
    socket.off('end', hungUp)
  }
  const options: ConnectionOptions = { socket }
  if (!isIP(host)) options.servername = host
  if (sslnegotiation === 'direct') options.ALPNProtocols = ['postgresql']
  // As libpq has it: these encipher and do not ask who answers.
  if (ssl === 'require' || ssl === 'allow' || ssl === 'prefer') options.rejectUnauthorized = false
  else if (typeof ssl === 'object') Object.assign(options, ssl)
  const enciphered = connectTls(options)
  await once(enciphered, 'secureConnect')
  return enciphered
}
