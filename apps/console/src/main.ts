import '@souk/design/fonts/latin.css'
import '@souk/design/tokens.css'
import 'vuetify/styles/layers'
import 'vuetify/styles/core'
import '@souk/web/page.css'
import './style.css'
import { createApp } from 'vue'
import App from './App.vue'
import { i18n, initialLocale, setLocale } from './i18n/index.ts'
import { router } from './router.ts'
import { scheme } from './scheme.ts'
import { vuetify } from './vuetify.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
// The font CSS for other scripts is long, so wait for it only if the current language needs it.
const otherFonts = () => import('@souk/design/fonts/others.css')

const locale = initialLocale()
await Promise.all([setLocale(locale, false), locale === 'en' ? undefined : otherFonts()])
createApp(App).use(i18n).use(router).use(vuetify(nonce, scheme.value)).mount('#app')
if (locale === 'en') void otherFonts()
