import type { hostOperations, ParametersOf } from '@souk/contract'
import { type Locale, locales } from '@souk/web'
import { shallowRef, watch } from 'vue'
import { call, type Result } from '../api/client.ts'
import { user } from '../api/session.ts'

export type MiniApp = Result<'listMiniApps'>['items'][number]
export type MiniAppFilter = ParametersOf<(typeof hostOperations)['listMiniApps']>

/** Most appids of one request. */
const maxAppids = 50

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
  knownMiniApps.value = new Map([...knownMiniApps.value, ...found.items.map((app) => [app.appid, app] as const)])
  return found
}

/** Reads a mini app; undefined if the user may not open it. @throws Problem */
export async function readMiniApp(appid: string): Promise<MiniApp | undefined> {
  const { items } = await listMiniApps({ appids: appid })
  return items[0]
}

/** Reads those of these mini apps that are not known yet. @throws Problem */
export async function learnMiniApps(appids: Iterable<string>, signal?: AbortSignal): Promise<void> {
  const missing = [...new Set(appids)].filter((appid) => !knownMiniApps.value.has(appid)).slice(0, maxAppids)
  if (missing.length > 0) await listMiniApps({ appids: missing.join(',') }, signal)
}

/** Returns the name of a mini app in a language. */
export function nameIn(locale: Locale, { name, names }: Pick<MiniApp, 'name' | 'names'>): string {
  return names[locales[locale].language] ?? name
}

/** Returns the icon URL of a mini app, if it is known. */
export function miniAppIcon(appid: string): string | null {
  return knownMiniApps.value.get(appid)?.iconUrl ?? null
}
