import type { LocationQuery, RouteLocationRaw } from 'vue-router'

/** Returns the page to show after the sign-in: the one that required it, or the projects. */
export function redirectAfterSignIn({ next }: LocationQuery): RouteLocationRaw {
  // Only paths within the console: a URL of another site starts with a scheme or two slashes.
  return typeof next === 'string' && /^\/(?!\/)/.test(next) ? next : { name: 'projects' }
}
