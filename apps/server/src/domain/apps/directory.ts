import type { App } from '../app.ts'
import type { Apps, Context } from '../context.ts'
import { selectApp } from './store.ts'

const MOST_ENTRIES = 10_000
/** How long an app is served from memory, ms: a change whose announcement is lost counts after this at the latest. */
const KNOWN_MS = 60_000
/** How long an appid counts as unknown, ms. */
const UNKNOWN_MS = 1_000

interface Entry {
  app: App | undefined
  /** Real time, ms. */
  until: number
}

/**
 * The mini apps by appid, in memory, since every request needs one. Others' changes arrive as `forget`, which `main`
 * calls for each announcement on `souk_app`.
 */
export class AppDirectory implements Apps {
  readonly #from: Pick<Context, 'sql' | 'vault' | 'clock'>
  readonly #known = new Map<string, Entry>()
  // Apart, so that a flood of invented appids cannot crowd out the known ones.
  readonly #unknown = new Map<string, Entry>()
  readonly #loads = new Map<string, Promise<App | undefined>>()

  constructor(from: Pick<Context, 'sql' | 'vault' | 'clock'>) {
    this.#from = from
  }

  /**
   * The app, enabled or not; `undefined` when there is none. At once where it is in memory, so that a request pays for no
   * promise. Whoever asks while it is being loaded shares that load.
   */
  find(appid: string): App | undefined | Promise<App | undefined> {
    const entry = this.#known.get(appid) ?? this.#unknown.get(appid)
    if (entry !== undefined && this.#from.clock.real() < entry.until) return entry.app
    return this.#loads.get(appid) ?? this.#load(appid)
  }

  /** The app has changed: what is in memory, or on its way there, is not served to anyone who asks from now on. */
  forget(appid: string): void {
    this.#known.delete(appid)
    this.#unknown.delete(appid)
    this.#loads.delete(appid)
  }

  #load(appid: string): Promise<App | undefined> {
    const load = selectApp(this.#from.sql, this.#from.vault, appid)
      .then((app) => {
        // Not after a `forget`: this load may have read what was there before the change.
        if (this.#loads.get(appid) === load) this.#keep(appid, app)
        return app
      })
      .finally(() => {
        if (this.#loads.get(appid) === load) this.#loads.delete(appid)
      })
    this.#loads.set(appid, load)
    return load
  }

  #keep(appid: string, app: App | undefined): void {
    this.#known.delete(appid)
    this.#unknown.delete(appid)
    const entries = app === undefined ? this.#unknown : this.#known
    // A Map remembers the order of insertion, so its first entry is the one that was loaded longest ago.
    if (entries.size >= MOST_ENTRIES) entries.delete(entries.keys().next().value!)
    entries.set(appid, { app, until: this.#from.clock.real() + (app === undefined ? UNKNOWN_MS : KNOWN_MS) })
  }
}
