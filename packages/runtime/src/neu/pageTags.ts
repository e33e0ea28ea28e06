/*
 * Lets `page-meta` and `navigation-bar` change their page. Templates with these tags import this module.
 */

import { inject } from 'vue'
import { pageKey } from '../stack/page.ts'
import { changePageMeta } from '../stack/pageMeta.ts'
import { tagHost } from './tagHost.ts'

tagHost.page = () => {
  const page = inject(pageKey, undefined)
  if (!page) return undefined
  return {
    setStyle(attributes) {
      const current = page.style as Readonly<Record<string, unknown>>
      if (Object.entries(attributes).some(([name, value]) => current[name] !== value))
        page.style = { ...page.style, ...attributes }
    },
    setMeta: (changes) => changePageMeta(page, changes),
    setNavigationBar(changes) {
      page.overrides = { ...page.overrides, ...changes }
    },
    scrollTo: async (target) => page.controls?.scrollTo(target),
  }
}
