import { watch } from 'vue'
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import { user } from './api/session.ts'
import { i18n, locale, showTexts } from './i18n/index.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** The folders under src whose texts the page uses. */
    texts: readonly string[]
    /** Names the window by the `title` of its first texts; mini apps name it themselves. */
    titled?: true
    /** Shown to whoever is not signed in. */
    open?: true
  }
}

const routes: RouteRecordRaw[] = [
  {
    path: '/sign-in',
    name: 'signIn',
    component: () => import('./signIn/SignInPage.vue'),
    meta: { texts: ['signIn'], titled: true, open: true },
  },
  {
    path: '/',
    component: () => import('./shell/HostShell.vue'),
    meta: { texts: [] },
    children: [
      {
        path: '',
        name: 'home',
        component: () => import('./home/HomePage.vue'),
        meta: { texts: ['home'], titled: true },
      },
      {
        path: 'inbox',
        name: 'inbox',
        component: () => import('./inbox/InboxPage.vue'),
        meta: { texts: ['inbox'], titled: true },
      },
      {
        path: 'profile',
        name: 'profile',
        component: () => import('./profile/ProfilePage.vue'),
        meta: { texts: ['profile'], titled: true },
      },
    ],
  },
  {
    // ?page=<path of a page with its query>&release=<releaseId>
    path: '/apps/:appid',
    name: 'miniApp',
    // What is open is drawn by App.vue beside the page.
    component: { render: () => null },
    meta: { texts: ['container', 'consent', 'cashier'] },
  },
  {
    // ?url=<address>
    path: '/web',
    name: 'webView',
    component: () => import('./container/WebViewPage.vue'),
    meta: { texts: ['container'] },
  },
  {
    // ?tradeNo: where providers' pages lead payers back to, in a window of its own
    path: '/paid',
    name: 'paid',
    component: () => import('./cashier/PaymentReturnPage.vue'),
    meta: { texts: ['cashier'], titled: true, open: true },
  },
  { path: '/:path(.*)*', redirect: '/' },
]

export const router = createRouter({
  history: createWebHistory('/host/'),
  routes,
})

router.beforeEach((to) => {
  if (user.value || to.meta.open) return true
  return { name: 'signIn', query: to.fullPath === '/' ? {} : { next: to.fullPath } }
})
router.beforeResolve(async (to) => {
  await Promise.all(to.meta.texts.map(showTexts))
})
router.afterEach(() => nameWindow())
// The files of a page that was not there yet: there is no connection, or they were another version's. A load brings what there is.
router.onError((_error, to, from) => {
  if (from.matched.length > 0) location.assign(router.resolve(to).href)
})
watch(locale, nameWindow)

function nameWindow(): void {
  const { titled, texts } = router.currentRoute.value.meta
  if (!titled) return
  const title = i18n.global.t(`${texts[0]}.title`)
  document.title = title === 'Souk' ? title : `${title} · Souk`
}
