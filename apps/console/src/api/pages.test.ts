import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp, effectScope } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { usePages } from './pages.ts'

// Made by the build, from the contract.
vi.mock('virtual:souk-operations', () => ({ operations: {} }))

test('a link to the list itself shows its first page in its order', async () => {
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: {} }] })
  await router.push('/?view=all')
  const asked: unknown[] = []
  const load = async (page: { cursor?: string; sort?: string }) => {
    asked.push([page.cursor, page.sort])
    return { items: [1], next: `${page.cursor ?? ''}x` }
  }
  const app = createApp({}).use(router)
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const options = { inUrl: true, sorts: ['-time', 'time'] } as const
  const pages = app.runWithContext(() => scope.run(() => usePages(load, undefined, options))!)
  await vi.waitFor(() => expect(pages.older.value).toBeDefined())
  pages.sortBy('time')
  await vi.waitFor(() => expect(router.currentRoute.value.query).toEqual({ view: 'all', sort: 'time' }))
  pages.older.value?.()
  await vi.waitFor(() =>
    expect(router.currentRoute.value.query).toEqual({ view: 'all', sort: 'time', cursor: 'x', page: '2' }),
  )

  await router.push('/')
  await vi.waitFor(() => expect(asked.at(-1)).toEqual([undefined, undefined]))
  expect(pages.number.value).toBe(1)
  expect(pages.sort.value).toBe('-time')
  expect(router.currentRoute.value.query).toEqual({})
})
