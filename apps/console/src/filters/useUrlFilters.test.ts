import { expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { timeFilters, useUrlFilters } from './urlFilters.ts'

test('filters that are set one after the other are all in the query string', async () => {
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: {} }] })
  await router.push('/?from=1&to=2&view=totals')
  const app = createApp({}).use(router)
  const { set } = app.runWithContext(() => useUrlFilters(timeFilters))
  set({ to: undefined })
  set({ from: 5 })
  await vi.waitFor(() => expect(router.currentRoute.value.query).toEqual({ from: '5', view: 'totals' }))
})
