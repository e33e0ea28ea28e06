import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { type Connection, DatabaseAwayError } from './connection.ts'
import type { Open } from './connections.ts'
import { quoteIdentifier } from './identifiers.ts'

interface Listener {
  onNotify: (payload: string) => void
  onListening: () => void
}

/** ms */
const retryDelay = 100
/** Interval of statements that detect a silent database, ms. */
const heartbeatInterval = 15 * second

/** Listens to channels on a dedicated connection, which is replaced when it is lost. */
export class Listening {
  readonly #open: Open
  readonly #channels = new Map<string, Set<Listener>>()
  readonly #abort = new AbortController()
  #connection: Promise<Connection> | undefined
  #isReconnecting = false

  constructor(open: Open) {
    this.#open = open
  }

  /** Resolves once all further notifications are received, except while the connection is lost. */
  async listen(channel: string, listener: Listener): Promise<{ unlisten(): Promise<void> }> {
    const listeners = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, listeners.add(listener))
    const unlisten = async () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return
      this.#channels.delete(channel)
      await this.#execute('unlisten', channel)
    }
    try {
      await this.#execute('listen', channel)
    } catch (error) {
      listeners.delete(listener)
      throw error
    }
    listener.onListening()
    return { unlisten }
  }

  async end(): Promise<void> {
    this.#abort.abort()
    const connection = await this.#connection?.catch(() => undefined)
    await connection?.close()
  }

  async #execute(verb: 'listen' | 'unlisten', channel: string): Promise<void> {
    this.#connection ??= this.#connect()
    const connection = await this.#connection
    await connection.execute(`${verb} ${quoteIdentifier(channel)}`)
  }

  async #connect(): Promise<Connection> {
    if (this.#abort.signal.aborted)
      throw new DatabaseAwayError('CONNECTION_ENDED', 'the connection pool has been closed')
    try {
      const connection = await this.#open(this.#abort.signal, (channel, payload) => {
        for (const { onNotify } of this.#channels.get(channel) ?? []) onNotify(payload)
      })
      const heartbeat = setInterval(() => this.#beat(connection), heartbeatInterval).unref()
      connection.onLost = () => {
        clearInterval(heartbeat)
        this.#connection = undefined
        if (!this.#isReconnecting) void this.#reconnect()
      }
      return connection
    } catch (error) {
      this.#connection = undefined
      throw error
    }
  }

  /** Runs a statement, whose failure ends the connection. */
  #beat(connection: Connection): void {
    connection.execute('select').catch(() => {})
  }

  async #reconnect(): Promise<void> {
    this.#isReconnecting = true
    for (;;) {
      if (this.#abort.signal.aborted) return
      try {
        for (const channel of [...this.#channels.keys()]) await this.#execute('listen', channel)
        break
      } catch {
        await wait(retryDelay, undefined, { signal: this.#abort.signal }).catch(() => {})
      }
    }
    this.#isReconnecting = false
    for (const listeners of this.#channels.values()) for (const { onListening } of listeners) onListening()
  }
}
