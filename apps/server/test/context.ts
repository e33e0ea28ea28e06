import { randomBytes } from 'node:crypto'
import type { Apps, Catalogue, FullContext } from '../src/domain/context.ts'
import { AppDirectory, MiniAppCatalogue } from '../src/domain/miniApps/index.ts'
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

/** Returns the settings of a sandbox, as an installation has them without any of its own. */
export function testSettings() {
  return {
    settings: { sandbox: true, publicUrl: 'http://souk.test' },
    web: { hostUrl: 'http://souk.test/host/' },
    rules: { approvals: 'automatic', projectCreation: 'everyone', requireSignedReleases: false },
    retention: { requestLog: 7, analytics: 400 },
    accessTokenLifetime: 604_800,
    storage: 'database',
    keyRingFile: undefined,
    mailer: undefined,
    objects: undefined,
    process: {},
    proxies: {},
  } satisfies Partial<FullContext>
}

/** Creates a sandbox context for verbs that reach no network; the parts that do are missing. */
export function identityContext(sql: Sql): FullContext & { clock: TestClock } {
  const masterKey = randomBytes(32)
  const parts = {
    ...testSettings(),
    sql,
    clock: new TestClock(),
    vault: new Vault(() => [masterKey]),
    log: createLog('silent'),
    metrics: createMetrics(),
  }
  const apps: Apps = new AppDirectory(parts)
  const catalogue: Catalogue = new MiniAppCatalogue(parts)
  return { ...parts, apps, catalogue } as FullContext & { clock: TestClock }
}
