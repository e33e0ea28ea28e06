import '@souk/design/fonts/latin.css'
import '@souk/design/tokens.css'
import '@souk/web/page.css'
import './style.css'
import './kit/popup.css'
import { createApp } from 'vue'
import App from './App.vue'
import { initialLocale, setLocale } from './i18n/index.ts'
import { router } from './router.ts'

await setLocale(initialLocale(), false)
const app = createApp(App).use(router)
// index.html shows an outline of the page until then. Errors of the first navigation are shown by the application.
await router.isReady().catch(() => {})
app.mount('#app')
