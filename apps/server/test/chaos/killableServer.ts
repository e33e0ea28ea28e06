import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../../src/kernel/db/pool.ts'
import { type RunningServer, type ServerOptions, startServer } from '../server.ts'
import { type KillPoint, type ProxyTarget, whenWriting } from './killPoints.ts'
import type { RequestPhase } from './proxy.ts'

/** A server process that is killed and restarted repeatedly. */
export class KillableServer {
  /** Names of the points at which it was killed. */
  readonly kills: string[] = []
  readonly #sql: Sql
  readonly #options: ServerOptions
  #server: RunningServer | undefined
  #armed: { point: KillPoint; left: number; kill: () => Promise<void> } | undefined
  #ready = Promise.withResolvers<string>()

  constructor(sql: Sql, options: ServerOptions) {
    this.#sql = sql
    this.#options = options
  }

  /** URL of the server; undefined while it is not running. */
  get url(): string | undefined {
    return this.#server?.url
  }

  /** Resolves with its URL when it is running. */
  ready(): Promise<string> {
    return this.#ready.promise
  }

  async start(): Promise<RunningServer> {
    const server = await startServer(this.#options)
    this.#server = server
    this.#ready.resolve(server.url)
    return server
  }

  async stop(): Promise<void> {
    this.#ready = Promise.withResolvers()
    const server = this.#server
    this.#server = undefined
    await server?.stop()
  }

  /** Kills the server at the point, or after `maxLifetime` ms if that is not reached. */
  async killAt(point: KillPoint, maxLifetime: number): Promise<void> {
    const ended = new AbortController()
    const kill = async (name: string) => {
      if (ended.signal.aborted) return
      ended.abort()
      this.#armed = undefined
      const server = this.#server!
      this.#server = undefined
      this.#ready = Promise.withResolvers()
      await server.kill()
      this.kills.push(name)
      killed.resolve()
    }
    const killed = Promise.withResolvers<void>()
    this.#armed = { point, left: 'nth' in point ? point.nth : 1, kill: () => kill(point.name) }
    if (point.kind === 'beforeCommit') {
      // If the database aborts this transaction because of a deadlock, the server is killed after maxLifetime.
      whenWriting(this.#sql, point.table, ended.signal, () => kill(point.name)).catch(() => {})
    }
    const delay = point.kind === 'time' ? point.delay : maxLifetime
    wait(delay, undefined, { signal: ended.signal }).then(
      () => kill('at a random time'),
      () => {},
    )
    await killed.promise
  }

  /** Handles a phase of a proxied request. Returns whether the request continues. */
  async onRequest(target: ProxyTarget, phase: RequestPhase): Promise<boolean> {
    const armed = this.#armed
    if (armed?.point.kind !== 'request' || armed.point.target !== target || armed.point.phase !== phase) return true
    if (--armed.left !== 0) return true
    await wait(armed.point.delay)
    await armed.kill()
    return !armed.point.lost
  }

  /** Handles a commit with a notification. */
  onCommit(): void {
    const armed = this.#armed
    if (armed?.point.kind === 'afterCommit' && --armed.left === 0) void armed.kill()
  }
}
