import { second } from '@souk/contract'
import { type EffectScope, effectScope, onScopeDispose, type Ref, watch } from 'vue'
import { useChanges } from '../api/changes.ts'
import { call, type Result } from '../api/client.ts'
import { useQuery } from '../api/query.ts'
import { isAdministrator } from '../session.ts'

export type Counters = Result<'getCounters'>

/** Minimum time between two readings. */
const pause = 2 * second

/** Counts what waits in a project and, for administrators, in the installation, as long as it is shown. */
export function useCounters(projectId: () => string | undefined): Ref<Counters | undefined> {
  const query = useQuery(async (signal) => {
    const id = projectId()
    return id === undefined ? undefined : call('getCounters', { projectId: id }, signal)
  }, projectId)
  let timer: ReturnType<typeof setTimeout> | undefined
  function reload(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void query.reload()
    }, pause)
  }
  let following: EffectScope | undefined
  function stop(): void {
    following?.stop()
    clearTimeout(timer)
    timer = undefined
  }
  watch(
    projectId,
    (id) => {
      stop()
      if (id === undefined) return
      following = effectScope(true)
      following.run(() => {
        for (const list of ['callbacks', 'feedback'] as const) useChanges({ projectId: id, list }, reload)
        if (!isAdministrator.value) return
        for (const list of ['reviews', 'reports'] as const) useChanges({ list }, reload)
      })
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return query.data
}
