import type { Theme } from 'vitepress'
// Without the theme's font: the fonts of the system need no download.
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineAsyncComponent, watch } from 'vue'
import { loadFont } from './fonts.ts'
import { MermaidDiagram } from './MermaidDiagram.ts'
import './diagram.css'
import './languages.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app, router }) {
    if (!import.meta.env.SSR) watch(() => router.route.data.relativePath, loadFont, { immediate: true })
    app.component('MermaidDiagram', MermaidDiagram)
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
    for (const [name, component] of Object.entries(gallery)) app.component(name, component)
  },
} satisfies Theme
