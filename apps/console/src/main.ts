import '@souk/design/fonts/latin.css'
import '@souk/design/tokens.css'
import 'vuetify/styles/layers'
import 'vuetify/styles/core'
import '@souk/web/page.css'
import './style.css'
import { createApp } from 'vue'
import App from './App.vue'
import { initialLocale, setLocale } from './i18n/index.ts'
import { router } from './router.ts'
import { scheme } from './scheme.ts'
import { vuetify } from './vuetify.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
await setLocale(initialLocale(), false)
const app = createApp(App).use(router).use(vuetify(nonce, scheme.value))
// index.html shows an outline of the page until then. Errors of the first navigation are shown by the application.
await router.isReady().catch(() => {})
app.mount('#app')
