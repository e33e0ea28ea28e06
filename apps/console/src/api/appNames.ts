import { computed, shallowRef, watch } from 'vue'
import { read } from './query.ts'

/** Most appids of one request. */
const maxAppids = 50

/** Returns a function that names mini apps of a project, archived ones too; `appids` are those to name. */
export function useAppNames(projectId: string, appids: () => Iterable<string | null>): (appid: string) => string {
  const names = shallowRef<ReadonlyMap<string, string>>(new Map())
  const missing = computed(() =>
    [...new Set(appids())].filter((appid) => appid !== null && !names.value.has(appid)).slice(0, maxAppids),
  )
  watch(
    () => missing.value.join(','),
    async (list) => {
      if (list === '') return
      const found = await read('listApps', { projectId, appids: list }).catch(() => undefined)
      if (!found) return
      // Deleted mini apps have no name.
      const named = [
        ...list.split(',').map((appid) => [appid, appid] as const),
        ...found.items.map((app) => [app.appid, app.name] as const),
      ]
      names.value = new Map([...names.value, ...named])
    },
    { immediate: true },
  )
  return (appid) => names.value.get(appid) ?? appid
}
