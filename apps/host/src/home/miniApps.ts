import { shallowRef, watch } from 'vue'
import { call, type Result } from '../api/client.ts'
import { user } from '../api/session.ts'

export type MiniApp = Result<'listMiniApps'>[number]

/** The mini apps as last read from the server; undefined until then. */
export const miniApps = shallowRef<readonly MiniApp[]>()
watch(
  () => user.value?.uid,
  () => {
    miniApps.value = undefined
  },
  { flush: 'sync' },
)

/** Reads the mini apps from the server. @throws Problem */
export async function readMiniApps(signal?: AbortSignal): Promise<readonly MiniApp[]> {
  miniApps.value = await call('listMiniApps', {}, signal)
  return miniApps.value
}

/** Returns the icon URL of a mini app, if it is known. */
export function miniAppIcon(appid: string): string | null {
  return miniApps.value?.find((app) => app.appid === appid)?.iconUrl ?? null
}
