import '@souk/design/fonts/latin.css'
import '@souk/design/tokens.css'
import '@souk/web/page.css'
import '../style.css'
import { createApp } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { startEventStream } from '../api/events.ts'
import { showTexts } from '../i18n/index.ts'
import { connectApplication } from './application.ts'
import EmbedApp from './EmbedApp.vue'

/**
 * The page of an embedded mini app, or `/host/embed/check`. As in the links of the host, the query of
 * `/host/embed/<appid>` has the first page as `page`, and for a card `from=card` and its `extraData`.
 */
const [, appid = ''] = /^\/host\/embed\/([^/]*)/.exec(location.pathname) ?? []
const query = Object.fromEntries(
  [...new URLSearchParams(location.search)].filter(([name]) => ['page', 'from', 'extraData'].includes(name)),
)

const router = createRouter({
  // In memory, because the browser's history belongs to the application.
  history: createMemoryHistory('/host/embed/'),
  routes: [
    { path: '/', name: 'start', component: { render: () => null } },
    { path: '/check', name: 'check', component: () => import('./CheckPage.vue') },
    { path: '/apps/:appid', name: 'miniApp', component: { render: () => null } },
    { path: '/shared', name: 'profile', component: () => import('./SharedDataPage.vue') },
  ],
})

await Promise.all(
  ['shell', 'embed', 'container', 'consent', 'cashier', 'feedback', 'messages', 'profile'].map(showTexts),
)
startEventStream()
await connectApplication(appid)
const start = { name: 'miniApp', params: { appid }, query }
await router.push(appid === 'check' ? { name: 'check' } : /^\w{1,64}$/.test(appid) ? start : { name: 'start' })
createApp(EmbedApp, { appid }).use(router).mount('#app')
