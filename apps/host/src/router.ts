import { watch } from 'vue'
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import { user } from './api/session.ts'
import { findText, locale, showTexts } from './i18n/index.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** Feature folders under src whose texts the page uses. */
    texts: readonly string[]
    /** Sets the window title to `title` of the first feature; mini apps set it themselves. */
    hasTitle?: true
    /** Accessible without a session. */
    isPublic?: true
    /** Keeps its state when the user changes: it signs them in. */
    signsIn?: true
  }
}

const routes: RouteRecordRaw[] = [
  {
    path: '/sign-in',
    name: 'signIn',
    component: () => import('./signIn/SignInPage.vue'),
    meta: { texts: ['signIn'], hasTitle: true, isPublic: true, signsIn: true },
  },
  {
    // ?code=<code>&state=<state>; redirect URL for OpenID providers
    path: '/signed-in',
    name: 'signedIn',
    component: () => import('./signIn/SignedInPage.vue'),
    meta: { texts: ['signIn'], hasTitle: true, isPublic: true, signsIn: true },
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
        meta: { texts: ['home'], hasTitle: true },
      },
      {
        path: 'inbox',
        name: 'inbox',
        component: () => import('./inbox/InboxPage.vue'),
        meta: { texts: ['inbox', 'messages'], hasTitle: true },
      },
      {
        path: 'chat',
        name: 'chat',
        component: () => import('./chat/ChatPage.vue'),
        meta: { texts: ['chat'], hasTitle: true },
      },
      {
        path: 'chat/:uid(\\d+)',
        name: 'conversation',
        component: () => import('./chat/ConversationPage.vue'),
        meta: { texts: ['chat'], hasTitle: true },
      },
      {
        path: 'profile',
        name: 'profile',
        component: () => import('./profile/ProfilePage.vue'),
        meta: { texts: ['profile', 'messages'], hasTitle: true },
      },
      {
        path: 'feedback',
        name: 'feedback',
        component: () => import('./feedback/FeedbackPage.vue'),
        meta: { texts: ['feedback'], hasTitle: true },
      },
    ],
  },
  {
    // Built by miniAppLink: ?page=<path of a page with its query>&release=<releaseId>&preview=<token> or &stage=<stage>
    // and, for a card, &from=card&extraData=<JSON>
    path: '/apps/:appid',
    name: 'miniApp',
    // Open mini apps are rendered by App.vue next to the page.
    component: { render: () => null },
    meta: { texts: ['container', 'consent', 'cashier', 'feedback', 'messages'] },
  },
  {
    // ?appid=<appid>&url=<URL>
    path: '/web',
    name: 'webView',
    component: () => import('./container/WebViewPage.vue'),
    meta: { texts: ['container'] },
  },
  {
    // ?tradeNo=<tradeNo>; redirect URL for provider pages
    path: '/paid',
    name: 'paid',
    component: () => import('./cashier/PaymentReturnPage.vue'),
    meta: { texts: ['cashier'], hasTitle: true, isPublic: true },
  },
  { path: '/:path(.*)*', redirect: '/' },
]

export const router = createRouter({
  history: createWebHistory('/host/'),
  routes,
})

router.beforeEach((to) => {
  if (user.value || to.meta.isPublic) return true
  return { name: 'signIn', query: to.fullPath === '/' ? {} : { next: to.fullPath } }
})
router.beforeResolve(async (to) => {
  await Promise.all(to.meta.texts.map(showTexts))
})
router.afterEach(() => updateTitle())
// The chunks of the page could not be loaded: no connection, or a new version was deployed. Load the page from the
// server.
router.onError((_error, to, from) => {
  if (from.matched.length > 0) location.assign(router.resolve(to).href)
})
watch(locale, updateTitle)

function updateTitle(): void {
  const { hasTitle, texts } = router.currentRoute.value.meta
  if (!hasTitle) return
  const title = findText(texts[0] as string, 'title')
  document.title = title === 'Souk' ? title : `${title} · Souk`
}
