import { appidPattern, type hostOperations, type ParametersOf } from '@souk/contract'
import { type Locale, locales } from '@souk/web'
import { shallowRef, watch } from 'vue'
import { call, type Result } from '../api/client.ts'
import { user } from '../api/session.ts'

export type MiniApp = Result<'listMiniApps'>['items'][number]
export type MiniAppFilter = ParametersOf<(typeof hostOperations)['listMiniApps']>

/** Most appids of one request. */
export const maxAppids = 50

/** The mini apps of all lists that were read, by appid, as last read. */
export const knownMiniApps = shallowRef<ReadonlyMap<string, MiniApp>>(new Map())
watch(
  () => user.value?.uid,
  () => {
    knownMiniApps.value = new Map()
  },
  { flush: 'sync' },
)

/** Reads a page of the mini apps that the user may open. @throws Problem */
export async function listMiniApps(filter: MiniAppFilter, signal?: AbortSignal): Promise<Result<'listMiniApps'>> {
  const found = await call('listMiniApps', filter, signal)
  know(found.items)
  return found
}

/** Reads these mini apps, at most `maxAppids`. Those that the user may no longer open are forgotten. @throws Problem */
export async function readMiniApps(appids: readonly string[], signal?: AbortSignal): Promise<readonly MiniApp[]> {
  // They may come from an address, a mini app or an older version of the host.
  const valid = appids.filter((appid) => appidPattern.test(appid))
  if (valid.length === 0) return []
  const { items } = await call('listMiniApps', { appids: valid.join(',') }, signal)
  know(items, valid)
  return items
}

/** Reads a mini app; undefined if the user may not open it. @throws Problem */
export async function readMiniApp(appid: string): Promise<MiniApp | undefined> {
  return (await readMiniApps([appid]))[0]
}

/** Reads those of these mini apps that are not known yet. @throws Problem */
export async function learnMiniApps(appids: Iterable<string>): Promise<void> {
  const missing = [...new Set(appids)].filter((appid) => !knownMiniApps.value.has(appid))
  await readMiniApps(missing.slice(0, maxAppids))
}

function know(apps: readonly MiniApp[], forgotten: readonly string[] = []): void {
  const known = new Map(knownMiniApps.value)
  for (const appid of forgotten) known.delete(appid)
  for (const app of apps) known.set(app.appid, app)
  knownMiniApps.value = known
}

/** Returns the name of a mini app in a language. */
export function nameIn(locale: Locale, { name, names }: Pick<MiniApp, 'name' | 'names'>): string {
  return names[locales[locale].language] ?? name
}

/** Returns the icon URL of a mini app, if it is known. */
export function miniAppIcon(appid: string): string | null {
  return knownMiniApps.value.get(appid)?.iconUrl ?? null
}
