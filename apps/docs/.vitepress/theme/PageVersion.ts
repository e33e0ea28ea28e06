import { useData } from 'vitepress'
import { defineComponent, h } from 'vue'
import { version } from '../../package.json'

const texts: Record<string, string> = {
  en: `Documentation of Souk ${version}`,
  'zh-CN': `Souk ${version} 的文档`,
  ar: `توثيق Souk ${version}`,
}

/** Says below each page which version it describes. */
export const PageVersion = defineComponent(() => {
  const { lang } = useData()
  return () => h('p', { class: 'page-version' }, texts[lang.value] ?? texts.en)
})
