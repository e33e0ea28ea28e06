import { appidPattern, minute, second } from '@souk/contract'
import { LRUCache } from 'lru-cache'
import type { App } from '../../app.ts'
import type { Apps, FullContext } from '../../context.ts'
import { findApp } from './store.ts'

const maxEntries = 10_000
/** Maximum age of a cached app: the delay after which a change counts even if its notification was lost. */
const appTtl = minute
const unknownTtl = second

/**
 * Cache of mini apps by appid, since every request needs one. `forget` is called for each notification on `souk_app`,
 * which announces changes made by any server.
 */
export class AppDirectory implements Apps {
  readonly #context: Pick<FullContext, 'sql' | 'vault' | 'clock'>
  readonly #apps: LRUCache<string, App>
  // A separate cache, so that a flood of made-up appids does not evict apps.
  readonly #unknown: LRUCache<string, true>
  readonly #loads = new Map<string, Promise<App | undefined>>()

  constructor(context: Pick<FullContext, 'sql' | 'vault' | 'clock'>) {
    this.#context = context
    const common = { max: maxEntries, ttlResolution: 0, perf: { now: () => context.clock.real() } }
    this.#apps = new LRUCache({ ...common, ttl: appTtl })
    this.#unknown = new LRUCache({ ...common, ttl: unknownTtl })
  }

  findCached(appid: string): App | undefined {
    return this.#apps.get(appid)
  }

  async find(appid: string): Promise<App | undefined> {
    // The database rejects U+0000.
    if (!appidPattern.test(appid)) return undefined
    const cached = this.#apps.get(appid)
    if (cached || this.#unknown.has(appid)) return cached
    return this.#loads.get(appid) ?? this.#load(appid)
  }

  /** Drops the app from memory. A load in progress is no longer cached or shared. */
  forget(appid: string): void {
    this.#apps.delete(appid)
    this.#unknown.delete(appid)
    this.#loads.delete(appid)
  }

  forgetAll(): void {
    this.#apps.clear()
    this.#unknown.clear()
    this.#loads.clear()
  }

  #load(appid: string): Promise<App | undefined> {
    const load = findApp(this.#context.sql, this.#context.vault, appid)
      .then((app) => {
        // After `forget` this load is not current: it may have read the app before the change.
        if (this.#loads.get(appid) === load) this.#cache(appid, app)
        return app
      })
      .finally(() => {
        if (this.#loads.get(appid) === load) this.#loads.delete(appid)
      })
    this.#loads.set(appid, load)
    return load
  }

  #cache(appid: string, app: App | undefined): void {
    if (app) this.#apps.set(appid, app)
    else this.#unknown.set(appid, true)
  }
}
