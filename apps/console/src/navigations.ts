import type { Router } from 'vue-router'

let navigations = 0

/** Whether the page on screen was reached from another one, rather than opened. */
export function isNavigated(): boolean {
  return navigations > 1
}

/** Follows the router from page to page; called once. */
export function countNavigations(router: Router): void {
  router.afterEach((to, from) => {
    if (to.name !== from.name || to.path !== from.path) navigations += 1
  })
}
