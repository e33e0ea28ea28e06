import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, DatabaseAwayError, directed } from './connection.ts'
import type { Open } from './connections.ts'

interface Listener {
  hear: (payload: string) => void
  onListening: () => void
}

const RETRY_MS = 100

/** Listens on a connection of its own, which is replaced when it is lost. */
export class Listening {
  readonly #open: Open
  readonly #channels = new Map<string, Set<Listener>>()
  readonly #abort = new AbortController()
  readonly #make: (statement: string) => PromiseLike<unknown>
  #connection: Promise<Connection> | undefined
  #isReturning = false

  constructor(open: Open, make: (statement: string) => PromiseLike<unknown>) {
    this.#open = open
    this.#make = make
  }

  /** Resolves when nothing that is announced from now on is missed, except while there is no connection. */
  async listen(channel: string, listener: Listener): Promise<{ unlisten(): Promise<void> }> {
    const listeners = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, listeners.add(listener))
    const unlisten = async () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return
      this.#channels.delete(channel)
      await this.#say('unlisten', channel)
    }
    try {
      await this.#say('listen', channel)
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

  async #say(verb: 'listen' | 'unlisten', channel: string): Promise<void> {
    this.#connection ??= this.#connect()
    const connection = await this.#connection
    await directed(this.#make(`${verb} "${channel.replaceAll('"', '""')}"`), (it) => connection.run(it))
  }

  async #connect(): Promise<Connection> {
    if (this.#abort.signal.aborted)
      throw new DatabaseAwayError('CONNECTION_ENDED', 'the pool of connections was closed')
    try {
      const connection = await this.#open(this.#abort.signal, (channel, payload) => {
        for (const { hear } of this.#channels.get(channel) ?? []) hear(payload)
      })
      connection.onLost = () => {
        this.#connection = undefined
        if (!this.#isReturning) void this.#listenAgain()
      }
      return connection
    } catch (error) {
      this.#connection = undefined
      throw error
    }
  }

  async #listenAgain(): Promise<void> {
    this.#isReturning = true
    for (;;) {
      if (this.#abort.signal.aborted) return
      try {
        for (const channel of [...this.#channels.keys()]) await this.#say('listen', channel)
        break
      } catch {
        await wait(RETRY_MS, undefined, { signal: this.#abort.signal }).catch(() => {})
      }
    }
    this.#isReturning = false
    for (const listeners of this.#channels.values()) for (const { onListening } of listeners) onListening()
  }
}
