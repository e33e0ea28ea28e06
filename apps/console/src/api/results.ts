import { second } from '@souk/contract'
import { QueryClient } from '@tanstack/vue-query'

/**
 * Results of operations by their name and input. They count as fresh for a moment, so that parts of a page that appear
 * one after the other share them, and until the console changes something. Retries are up to the user.
 */
export const results = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5 * second, refetchOnWindowFocus: false, networkMode: 'always' },
  },
})
