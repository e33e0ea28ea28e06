import { expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { timeFilters, useUrlFilters } from './urlFilters.ts'

test('filters that are set one after the other are all in the query string', async () => {
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: {} }] })
  await router.push('/?from=1&to=2&view=totals')
  const app = createApp({}).use(router)
  const { filters } = app.runWithContext(() => useUrlFilters(timeFilters))
  expect(filters).toEqual({ from: 1, to: 2 })
  filters.to = undefined
  filters.from = 5
  await vi.waitFor(() => expect(router.currentRoute.value.query).toEqual({ from: '5', view: 'totals' }))
  expect(filters).toEqual({ from: 5, to: undefined })
})

test('filters that are set after their page was left do not change the query string of the next one', async () => {
  const routes = ['/', '/next'].map((path) => ({ path, component: {} }))
  const router = createRouter({ history: createMemoryHistory(), routes })
  await router.push('/')
  const app = createApp({}).use(router)
  const { filters } = app.runWithContext(() => useUrlFilters(timeFilters))
  await router.push('/next?view=totals')
  const replace = vi.spyOn(router, 'replace')
  filters.from = 5
  expect(replace).not.toHaveBeenCalled()
})
