import { h } from 'vue'
import type { Build, PageModule } from '../build.ts'
import type { Carrier } from '../carriers/carrier.ts'
import { shownLanguage } from './locale.ts'

/** The part of the running app that the page needs. */
interface App {
  readonly build: Build
  readonly carrier: Carrier
  navigation(): Promise<{ reloadTop(): Promise<void> }>
}

/** Not loaded on demand: the network may be down. */
const texts: Record<string, string> = {
  en: 'This page could not be loaded. Tap to try again.',
  zh: '页面加载失败。点击屏幕重试。',
  ar: 'تعذّر تحميل هذه الصفحة. انقر لإعادة المحاولة.',
}

/** Returns a module for a page that cannot be loaded: it says so, and loads the page again when it is tapped. */
export async function failedPage(app: App, path: string, error: unknown): Promise<PageModule> {
  // The configuration of a page comes with its module.
  const configs = await app.build.pages?.().catch(() => [])
  const config = configs?.find((each) => each.path === path) ?? { path, style: {} }
  return { config, component: { render: () => message(app, error) } }
}

function message(app: App, error: unknown) {
  const language = shownLanguage(app.carrier.device).slice(0, 2).toLowerCase()
  const lang = texts[language] ? language : 'en'
  return h(
    'button',
    {
      type: 'button',
      lang,
      dir: lang === 'ar' ? 'rtl' : 'ltr',
      class: 'neu-page-failed',
      onClick: () => retry(app, error),
    },
    texts[lang],
  )
}

async function retry(app: App, error: unknown): Promise<void> {
  try {
    await (await app.navigation()).reloadTop()
  } catch (again) {
    // Browsers keep the error of a module that has thrown, so only a new document can run it again. A host does not
    // allow a mini app to replace its document.
    if (__SOUK_PLATFORM__ === 'H5' && again === error) location.reload()
  }
}
