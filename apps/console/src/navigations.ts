import type { Router } from 'vue-router'

let navigations = 0

/** Returns true if the current page was reached by navigation rather than opened directly. */
export function isNavigated(): boolean {
  return navigations > 1
}

/** Counts navigations. Call it once. */
export function countNavigations(router: Router): void {
  router.afterEach((to, from) => {
    if (to.name !== from.name || to.path !== from.path) navigations += 1
  })
}
