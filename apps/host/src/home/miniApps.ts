import { shallowRef } from 'vue'
import { call, type Result } from '../api/client.ts'

export type MiniApp = Result<'listMiniApps'>[number]

/** The mini apps as they were last read from the server; undefined before. */
export const miniApps = shallowRef<readonly MiniApp[]>()

/** @throws Problem */
export async function readMiniApps(signal?: AbortSignal): Promise<readonly MiniApp[]> {
  miniApps.value = await call('listMiniApps', {}, signal)
  return miniApps.value
}

/** Where the icon of a mini app is, as far as it is known. */
export function miniAppIcon(appid: string): string | null {
  return miniApps.value?.find((app) => app.appid === appid)?.iconUrl ?? null
}
