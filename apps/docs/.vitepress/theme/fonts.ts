const fonts: Record<string, () => Promise<{ default: string }>> = {
  zh: () => import('@souk/design/fonts/chinese.css?inline'),
  ar: () => import('@souk/design/fonts/arabic.css?inline'),
}

const loaded = new Set<string>()

/**
 * Loads the font of the language of a page, for systems that have none. VitePress puts styles into one file that all
 * pages load, so the rules of the font are text. The browser loads the font's files for missing characters only.
 */
export async function loadFont(page: string): Promise<void> {
  const [language = ''] = page.split('/')
  const font = fonts[language]
  if (!font || loaded.has(language)) return
  loaded.add(language)
  const sheet = await new CSSStyleSheet().replace((await font()).default)
  document.adoptedStyleSheets.push(sheet)
}
