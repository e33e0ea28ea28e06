import { reactive } from 'vue'

/** Calls of page hooks, shown on the pages and read by the tests. */
export const events: string[] = reactive([])
