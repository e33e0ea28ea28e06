import { useData, useRoute, withBase } from 'vitepress'
import { computed, defineComponent, h } from 'vue'
import { useEnglishPage } from './readersLanguage.ts'

const texts: Record<string, [notTranslated: string, english: string, translation: string]> = {
  zh: ['本页尚无中文译文，以下为英文原文。', '以下为英文原文。', '阅读中文译文'],
  ar: [
    'لم تُترجم هذه الصفحة إلى العربية بعد، وفيما يلي نصها الإنجليزي.',
    'فيما يلي النص الإنجليزي لهذه الصفحة.',
    'قراءة الترجمة العربية',
  ],
}

/** Says above a page in English, to readers of another language, that it is, and leads to its translation. */
export const EnglishNotice = defineComponent(() => {
  const data = useData()
  const route = useRoute()
  const isEnglish = useEnglishPage()
  const translation = computed(() => {
    const { i18nRouting } = data.theme.value
    const locale = data.localeIndex.value
    const path: string = i18nRouting(data, route, locale)
    return path === `/${locale}/` ? undefined : path
  })
  return () => {
    const [notTranslated, english, read] = texts[data.localeIndex.value] ?? []
    if (!isEnglish.value) return undefined
    const { value: path } = translation
    const text = path ? [english, ' ', h('a', { href: withBase(path) }, read)] : notTranslated
    return h('p', { class: 'english-notice' }, text)
  }
})
