import { useQuery } from '@souk/web'
import { computed, ref, watch } from 'vue'
import { listMiniApps, type MiniApp, type MiniAppFilter } from './miniApps.ts'

/** Mini apps that are read together; more of them on request. */
const pageSize = 60

/** Lists mini apps, a page more at a time. `filter` returns undefined if there is nothing to list. */
export function useMiniAppList(filter: () => MiniAppFilter | undefined) {
  const pageCount = ref(1)
  const key = computed(() => JSON.stringify(filter() ?? null))
  const query = useQuery(async (signal) => {
    const chosen = filter()
    if (!chosen) return undefined
    const apps: MiniApp[] = []
    let first: Awaited<ReturnType<typeof listMiniApps>> | undefined
    let cursor: string | null | undefined
    // The pages before are read again too, which costs little: the browser revalidates them.
    for (let page = 0; page < pageCount.value && cursor !== null; page++) {
      const found = await listMiniApps({ ...chosen, limit: pageSize, ...(cursor && { cursor }) }, signal)
      apps.push(...found.items)
      first ??= found
      cursor = found.next
    }
    return { ...first!, apps, hasMore: cursor !== null, filter: chosen }
  })
  watch(key, () => {
    pageCount.value = 1
    void query.reload()
  })
  async function readMore(): Promise<void> {
    pageCount.value += 1
    await query.reload()
  }
  return { ...query, readMore }
}
