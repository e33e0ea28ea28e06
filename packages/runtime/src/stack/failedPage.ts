import { h } from 'vue'
import type { PageConfig, PageModule } from '../config.ts'

/** Not loaded on demand: the network may be down. */
const texts: Record<string, string> = {
  en: 'This page could not be loaded. Tap to try again.',
  zh: '页面加载失败，点击屏幕重试',
  ar: 'تعذّر تحميل هذه الصفحة. انقر لإعادة المحاولة.',
}

interface Environment {
  /** Loads the configurations of all pages: that of a page comes with its module. */
  pages(): Promise<PageConfig[]>
  language(): string
  /** Loads the page again, in place of the message. Rejects if that fails. */
  reload(): Promise<void>
}

/** Returns a module for a page that cannot be loaded: it says so, and loads the page again when it is tapped. */
export async function failedPage(environment: Environment, path: string, error: unknown): Promise<PageModule> {
  const configs = await environment.pages().catch(() => [])
  const config = configs.find((each) => each.path === path) ?? { path, style: {} }
  return { config, component: { render: () => message(environment, error) } }
}

function message(environment: Environment, error: unknown) {
  const language = environment.language().slice(0, 2).toLowerCase()
  const lang = texts[language] ? language : 'en'
  return h(
    'button',
    {
      type: 'button',
      lang,
      dir: lang === 'ar' ? 'rtl' : 'ltr',
      // The place of uni-app's message. The page scrolls below a bar that covers it.
      style:
        'position:absolute;inset:0;display:flex;justify-content:center;box-sizing:border-box;padding:100px 10px;border:0;' +
        'background:none;color:#707070;font:16px/1.25 system-ui,sans-serif;text-align:center;cursor:pointer',
      onClick: () => retry(environment, error),
    },
    texts[lang],
  )
}

async function retry({ reload }: Environment, error: unknown): Promise<void> {
  try {
    await reload()
  } catch (again) {
    // Browsers keep the error of a module that has thrown, so only a new document can run it again. A host does not
    // allow a mini app to replace its document.
    if (__SOUK_PLATFORM__ === 'H5' && again === error) location.reload()
  }
}
