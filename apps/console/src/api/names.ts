import { shallowRef, watch } from 'vue'
import { read } from './query.ts'

/** Most keys of one request. */
const maxKeys = 50

interface Names {
  /** Returns the name of a key; an ellipsis until it is loaded, before which an identifier would flash. */
  of(key: string): string
  /** Loads the names of keys. A list does so before it shows its rows, which would move when the names appear. */
  load(keys: Iterable<string | null>): Promise<void>
}

/** Names mini apps of a project, archived ones too. Loads the names of `appids` whenever these change. */
export function useAppNames(projectId: string, appids: () => Iterable<string | null> = () => []): Names {
  return useNames(appids, async (list) => {
    const { items } = await read('listApps', { projectId, appids: list })
    return items.map(({ appid, name }) => [appid, name])
  })
}

/** Names members of a project. Loads the names of `accountIds` whenever these change. */
export function useMemberNames(projectId: string, accountIds: () => Iterable<string>): Names {
  return useNames(accountIds, async (list) => {
    const { items } = await read('listMembers', { projectId, accountIds: list })
    return items.map(({ accountId, name }) => [accountId, name])
  })
}

/** `readNames` returns the names of keys, which are separated by commas. */
function useNames(
  keys: () => Iterable<string | null>,
  readNames: (keys: string) => Promise<[key: string, name: string][]>,
): Names {
  const names = shallowRef<ReadonlyMap<string, string>>(new Map())
  const hasFailed = shallowRef(false)
  const missingOf = (keys: Iterable<string | null>) =>
    [...new Set(keys)].filter((key) => key !== null && !names.value.has(key)).slice(0, maxKeys)
  async function load(keys: Iterable<string | null>): Promise<void> {
    const list = missingOf(keys)
    if (list.length === 0) return
    const found = await readNames(list.join(',')).catch(() => undefined)
    hasFailed.value = !found
    if (!found) return
    // What was deleted has no name.
    names.value = new Map([...names.value, ...list.map((key) => [key, key] as [string, string]), ...found])
  }
  watch(
    () => missingOf(keys()).join(','),
    () => load(keys()),
    { immediate: true },
  )
  return { of: (key) => names.value.get(key) ?? (hasFailed.value ? key : '…'), load }
}
