import { Problem } from '@souk/web'
import { useRoute } from 'vue-router'

/** Returns the token in the hash of a one-time link. It is sent only with the operation that uses it. */
export function useLinkToken(): string | undefined {
  const token = useRoute().hash.slice(1)
  return /^[\w-]{20,100}$/.test(token) ? token : undefined
}

/** Returns the problem of a page that was opened with a missing or truncated token. */
export function incompleteLink(): Problem {
  return new Problem({ code: 'link_incomplete', status: 404, detail: '' })
}
