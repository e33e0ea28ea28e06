import '@souk/design/fonts/latin.css'
import '@souk/design/tokens.css'
import '@souk/web/page.css'
import './style.css'
import { createApp } from 'vue'
import App from './App.vue'
import { i18n, initialLocale, setLocale, showTexts } from './i18n/index.ts'
import { router } from './router.ts'

// The font rules of the other scripts are large, so English pages load them after the first paint.
const otherFonts = () => import('@souk/design/fonts/others.css')

const locale = initialLocale()
await Promise.all([setLocale(locale, false), locale === 'en' ? undefined : otherFonts()])
await showTexts('shell')
createApp(App).use(i18n).use(router).mount('#app')
if (locale === 'en') void otherFonts()
