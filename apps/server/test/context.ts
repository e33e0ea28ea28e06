import { randomBytes } from 'node:crypto'
import type { Apps, Context } from '../src/domain/context.ts'
import { AppDirectory } from '../src/domain/miniApps/index.ts'
import { type Clock, OffsetClock } from '../src/kernel/clock.ts'
import type { Sql } from '../src/kernel/db/pool.ts'
import { createLog } from '../src/kernel/log.ts'
import { createMetrics } from '../src/kernel/metrics.ts'
import { Vault } from '../src/kernel/vault.ts'

/** A clock that only the test moves; `ahead` is the offset of the sandbox clock in ms. */
export class TestClock implements Clock {
  time = Date.UTC(2030, 0, 1)
  ahead = 0
  readonly difference = 0
  real(): number {
    return this.time
  }
  now(): number {
    return this.time + this.ahead
  }
  isWrong(): boolean {
    return false
  }
}

/** A clock that follows the wall clock until the test stops it. */
export class StoppableClock extends OffsetClock {
  #stoppedAt: number | undefined
  /** Stops the clock at the current time. */
  stop(): void {
    this.#stoppedAt = Date.now()
  }
  /** Moves the stopped clock forward by `duration` ms. */
  advance(duration: number): void {
    if (this.#stoppedAt === undefined) throw new Error('Stop the clock before moving it.')
    this.#stoppedAt += duration
  }
  /** Returns to the present. */
  resume(): void {
    this.#stoppedAt = undefined
  }
  override real(): number {
    return this.#stoppedAt ?? super.real()
  }
  override now(): number {
    return this.real() + this.offset
  }
}

/** Settings of a sandbox, as an installation has them without any of its own. */
export const testSettings: Context['settings'] = {
  sandbox: true,
  publicUrl: 'http://souk.test',
  hostUrl: 'http://souk.test/host/',
  approvals: 'automatic',
  projectCreation: 'everyone',
  accessTokenLifetime: 604_800,
  requireSignedReleases: false,
  requestLogRetention: 7,
  analyticsRetention: 400,
}

/** Creates a sandbox context for identity, apps and oauth, without network. */
export function identityContext(sql: Sql): Context & { clock: TestClock } {
  const masterKey = randomBytes(32)
  const parts = {
    sql,
    clock: new TestClock(),
    vault: new Vault(() => [masterKey]),
    log: createLog('silent'),
    metrics: createMetrics(),
    settings: { ...testSettings },
  }
  const apps: Apps = new AppDirectory(parts)
  return { ...parts, apps } as Context & { clock: TestClock }
}
