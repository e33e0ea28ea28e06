import type { LocationQuery, RouteLocationRaw } from 'vue-router'

/** Where somebody wanted to go who was led to the sign-in first. */
export function redirectAfterSignIn({ next }: LocationQuery): RouteLocationRaw {
  // Only a way within the console: an address of another site would begin with a scheme or two slashes.
  return typeof next === 'string' && /^\/(?!\/)/.test(next) ? next : { name: 'projects' }
}
