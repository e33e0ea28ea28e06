import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../../src/kernel/db/pool.ts'
import { type RunningServer, type ServerOptions, startServer } from '../server.ts'
import { type Place, type Point, whenWriting } from './killPoints.ts'
import type { Stage } from './proxy.ts'

/** A process of the server that is killed and started again, over and over. */
export class Lives {
  /** Where it was killed, one each. */
  readonly kills: string[] = []
  readonly #sql: Sql
  readonly #options: ServerOptions
  #server: RunningServer | undefined
  #armed: { point: Point; left: number; end: () => Promise<void> } | undefined
  #ready = Promise.withResolvers<string>()

  constructor(sql: Sql, options: ServerOptions) {
    this.#sql = sql
    this.#options = options
  }

  /** Where it listens; undefined while nobody does. */
  get url(): string | undefined {
    return this.#server?.url
  }

  /** Its address, as soon as there is one. */
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

  /** Lets it run up to the point, or for `longest` ms where that is not reached, and kills it. */
  async live(point: Point, longest: number): Promise<void> {
    const over = new AbortController()
    const end = async (name: string) => {
      if (over.signal.aborted) return
      over.abort()
      this.#armed = undefined
      const server = this.#server!
      this.#server = undefined
      this.#ready = Promise.withResolvers()
      await server.kill()
      this.kills.push(name)
      dead.resolve()
    }
    const dead = Promise.withResolvers<void>()
    this.#armed = { point, left: 'nth' in point ? point.nth : 1, end: () => end(point.name) }
    if (point.kind === 'writing') {
      // Where the database chooses this one out of a deadlock, the life ends later.
      whenWriting(this.#sql, point.table, over.signal, () => end(point.name)).catch(() => {})
    }
    const after = point.kind === 'moment' ? point.after : longest
    wait(after, undefined, { signal: over.signal }).then(
      () => end('at any moment'),
      () => {},
    )
    await dead.promise
  }

  /** A request has got to this stage at a tap: says whether it goes on. */
  async passes(place: Place, stage: Stage): Promise<boolean> {
    const armed = this.#armed
    if (armed?.point.kind !== 'tap' || armed.point.place !== place || armed.point.stage !== stage) return true
    if (--armed.left !== 0) return true
    await wait(armed.point.after)
    await armed.end()
    return !armed.point.lost
  }

  /** Something was committed and announced. */
  committed(): void {
    const armed = this.#armed
    if (armed?.point.kind === 'committed' && --armed.left === 0) void armed.end()
  }
}
