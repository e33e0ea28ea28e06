import { useData } from 'vitepress'
import { defineComponent, h } from 'vue'

const texts: Record<string, [host: string, console: string]> = {
  en: ['Host', 'Console'],
  'zh-CN': ['宿主应用', '控制台'],
  ar: ['التطبيق المضيف', 'لوحة التحكم'],
}

/** Links to the host and the console of the server that serves this site. */
export const SoukLinks = defineComponent(() => {
  const { lang } = useData()
  // With a target, the router of the site leaves a link to the browser.
  const link = (href: string, text: string) => h('a', { href, target: '_self' }, text)
  return () => {
    const [host, console] = texts[lang.value] ?? texts.en!
    return h('div', { class: 'souk-links' }, [link('/host/', host), link('/console/', console)])
  }
})
