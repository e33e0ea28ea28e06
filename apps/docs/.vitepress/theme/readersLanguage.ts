import { useData, type VitePressData } from 'vitepress'
import { type ComputedRef, computed, onMounted, onUnmounted, ref, watch } from 'vue'

const storageKey = 'souk-docs-language'

/** Where a reader is who has come from a translated page: `zh` or `ar`, until they choose English. */
const remembered = ref<string>()

/** Returns the locale of a page, which is its folder, or undefined for English. */
const localeOf = (page: string, locales: object) =>
  Object.keys(locales).find((locale) => locale !== 'root' && page.startsWith(`${locale}/`))

/**
 * Returns the data of VitePress with the reader's language around a page in English, so that a link to a page that is
 * not translated changes neither the navigation nor the search.
 */
export function inReadersLanguage(data: VitePressData): VitePressData {
  const locale = computed(() =>
    localeOf(data.page.value.relativePath, data.site.value.locales) ? undefined : remembered.value,
  )
  const site = computed(() => {
    const all = data.site.value
    const { lang, dir, themeConfig } = all.locales[locale.value ?? ''] ?? {}
    if (!lang) return all
    return { ...all, lang, dir: dir ?? 'ltr', themeConfig: { ...all.themeConfig, ...themeConfig } }
  })
  return {
    ...data,
    site,
    theme: computed(() => site.value.themeConfig),
    lang: computed(() => site.value.lang),
    dir: computed(() => site.value.dir),
    localeIndex: computed(() => locale.value ?? data.localeIndex.value),
  }
}

/** Returns whether the page is in English and what is around it is not. */
export function useEnglishPage(): ComputedRef<boolean> {
  const { page, site, localeIndex } = useData()
  return computed(() => localeIndex.value !== 'root' && !localeOf(page.value.relativePath, site.value.locales))
}

/**
 * Remembers the language of the last translated page in this tab, and marks a page in English as such for the browser
 * and screen readers. The home page is where readers choose a language.
 */
export function useReadersLanguage(): void {
  const { page, site } = useData()
  const isEnglish = useEnglishPage()

  function remember(locale: string | undefined): void {
    remembered.value = locale
    if (locale) sessionStorage.setItem(storageKey, locale)
    else sessionStorage.removeItem(storageKey)
  }
  const forgetOnChoice = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a[hreflang="en"]')) remember(undefined)
  }
  // After the first page is mounted, which is in the language that it was built in.
  onMounted(() => {
    remembered.value = sessionStorage.getItem(storageKey) ?? undefined
    addEventListener('click', forgetOnChoice, { capture: true })
    watch(
      () => page.value.relativePath,
      (path) => {
        const locale = localeOf(path, site.value.locales)
        if (locale || path === 'index.md') remember(locale)
      },
      { immediate: true },
    )
    watch(
      [isEnglish, page],
      () => {
        for (const text of document.querySelectorAll<HTMLElement>('.VPDoc main, .VPDocAsideOutline ul')) {
          if (isEnglish.value) Object.assign(text, { lang: 'en', dir: 'ltr' })
          else for (const name of ['lang', 'dir']) text.removeAttribute(name)
        }
      },
      { immediate: true, flush: 'post' },
    )
  })
  onUnmounted(() => removeEventListener('click', forgetOnChoice, { capture: true }))
}
