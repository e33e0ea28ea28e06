import { computed } from 'vue'
import { useOperation } from './query.ts'

/** Returns a function that names the mini apps of a project, archived ones too, by their appids. */
export function useAppNames(projectId: string): (appid: string) => string {
  const lists = [
    useOperation('listApps', () => ({ projectId })),
    useOperation('listApps', () => ({ projectId, archived: true })),
  ]
  const names = computed(
    () => new Map(lists.flatMap(({ data }) => data.value ?? []).map(({ appid, name }) => [appid, name])),
  )
  return (appid) => names.value.get(appid) ?? appid
}
