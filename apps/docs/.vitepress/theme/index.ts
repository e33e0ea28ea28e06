import { dataSymbol, onContentUpdated, type Theme, useData, useRouter, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineAsyncComponent, defineComponent, h, watch } from 'vue'
import { EnglishNotice } from './EnglishNotice.ts'
import { loadFont } from './fonts.ts'
import { movedTo } from './moved.ts'
import { PageVersion } from './PageVersion.ts'
import { inReadersLanguage, useReadersLanguage } from './readersLanguage.ts'
import { SoukLinks } from './SoukLinks.ts'
import { nameThisServer } from './serverAddress.ts'
import '@souk/design/fonts/latin.css'
import '/@souk/colors.css'
import './souk.css'
import './diagram.css'
import './languages.css'

export default {
  extends: DefaultTheme,
  Layout: defineComponent(() => {
    const router = useRouter()
    useReadersLanguage()
    onContentUpdated(nameThisServer)
    onContentUpdated(() => {
      const target = movedTo(router.route.data.relativePath, location.hash)
      if (target) void router.go(withBase(target), { replace: true })
    })
    const links = () => h(SoukLinks)
    const notice = () => h(EnglishNotice)
    const version = () => h(PageVersion)
    return () =>
      h(DefaultTheme.Layout, null, {
        'nav-bar-content-after': links,
        'nav-screen-content-after': links,
        'doc-before': notice,
        'doc-after': version,
      })
  }),
  enhanceApp({ app, router }) {
    const data = inReadersLanguage(app.runWithContext(useData))
    app.provide(dataSymbol, data)
    if (!import.meta.env.SSR) {
      const pageAndLanguage = [() => router.route.data.relativePath, data.localeIndex]
      watch(pageAndLanguage, (all) => void all.map(loadFont), { immediate: true })
    }
    // Loaded by the gallery only.
    const gallery = {
      GalleryFilter: defineAsyncComponent(() => import('./gallery/GalleryFilter.vue')),
      GallerySection: defineAsyncComponent(() => import('./gallery/GallerySection.vue')),
      AttributeExample: defineAsyncComponent(() => import('./gallery/AttributeExample.vue')),
    }
    app.component(
      'ApiPlayground',
      defineAsyncComponent(() => import('./playground/ApiPlayground.vue')),
    )
    app.component(
      'ExamplePhone',
      defineAsyncComponent(() => import('./example/ExamplePhone.vue')),
    )
    for (const [name, component] of Object.entries(gallery)) app.component(name, component)
  },
} satisfies Theme
