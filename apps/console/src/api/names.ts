import { computed, shallowRef, watch } from 'vue'
import { read } from './query.ts'

/** Most keys of one request. */
const maxKeys = 50

/** Returns a function that names mini apps of a project, archived ones too; `appids` are those to name. */
export function useAppNames(projectId: string, appids: () => Iterable<string | null>): (appid: string) => string {
  return useNames(appids, async (list) => {
    const { items } = await read('listApps', { projectId, appids: list })
    return items.map(({ appid, name }) => [appid, name])
  })
}

/** Returns a function that names members of a project; `accountIds` are those to name. */
export function useMemberNames(projectId: string, accountIds: () => Iterable<string>): (accountId: string) => string {
  return useNames(accountIds, async (list) => {
    const { items } = await read('listMembers', { projectId, accountIds: list })
    return items.map(({ accountId, name }) => [accountId, name])
  })
}

/** `load` returns the names of keys, which are separated by commas. */
function useNames(
  keys: () => Iterable<string | null>,
  load: (keys: string) => Promise<[key: string, name: string][]>,
): (key: string) => string {
  const names = shallowRef<ReadonlyMap<string, string>>(new Map())
  const missing = computed(() =>
    [...new Set(keys())].filter((key) => key !== null && !names.value.has(key)).slice(0, maxKeys),
  )
  watch(
    () => missing.value.join(','),
    async (list) => {
      if (list === '') return
      const found = await load(list).catch(() => undefined)
      if (!found) return
      // What was deleted has no name.
      names.value = new Map([...names.value, ...list.split(',').map((key) => [key, key] as const), ...found])
    },
    { immediate: true },
  )
  return (key) => names.value.get(key) ?? key
}
