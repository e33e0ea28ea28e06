import { reactive } from 'vue'

/** What the hooks of pages have been called with, for people and for tests to see. */
export const events: string[] = reactive([])
