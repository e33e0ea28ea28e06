import { Problem } from '@souk/web'
import { useRoute } from 'vue-router'

/** What stands after the # of a one-time link: it never leaves the browser except in the operation that uses it. */
export function useLinkToken(): string | undefined {
  const token = useRoute().hash.slice(1)
  return /^[\w-]{20,100}$/.test(token) ? token : undefined
}

/** What a page says that was opened without it, or with a part. */
export function incompleteLink(): Problem {
  return new Problem({ code: 'link_incomplete', status: 404, detail: '' })
}
