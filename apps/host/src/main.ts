import '@souk/design/fonts/latin.css'
import '@souk/design/tokens.css'
import '@souk/web/page.css'
import './style.css'
import { createApp } from 'vue'
import App from './App.vue'
import { i18n, initialLocale, setLocale, showTexts } from './i18n/index.ts'
import { router } from './router.ts'

// The rules for the other scripts are long; what is on screen first waits for them only where it needs them.
const otherFonts = () => import('@souk/design/fonts/others.css')

const locale = initialLocale()
await Promise.all([setLocale(locale, false), locale === 'en' ? undefined : otherFonts()])
await showTexts('shell')
createApp(App).use(i18n).use(router).mount('#app')
if (locale === 'en') void otherFonts()
