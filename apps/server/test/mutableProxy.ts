import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a database that can fall silent: it then accepts connections and answers nothing. */
export interface MutableProxy {
  /** The URL of the database, through the proxy. */
  url: string
  /** `127.0.0.1:` and the port. */
  host: string
  /** Number of connections so far. */
  connections: number
  mute(): void
  /** Ends the connections that were muted, and forwards new ones. */
  unmute(): void
  close(): Promise<void>
}

export async function startMutableProxy(databaseUrl: string): Promise<MutableProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isMute = false
  const server = createServer((client) => {
    proxy.connections++
    const database = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('data', (bytes) => {
        if (!isMute) to.write(bytes)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy: MutableProxy = {
    url: databaseUrl.replace(target.host, host),
    host,
    connections: 0,
    mute() {
      isMute = true
    },
    unmute() {
      for (const socket of sockets) socket.destroy()
      isMute = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
