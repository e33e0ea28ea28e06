import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Compat } from './compat.ts'
import type { MiniApp } from './miniApp.ts'
import { ownDocument } from './ownDocument.ts'
import { rpxVariables } from './styles/rpx.ts'
import { entry } from './virtual.ts'

/** Returns index.html: the project's own document plus what the app needs, or a default one. */
export function documentOf(app: MiniApp, compat: Compat): string {
  const own = ownDocument(app)
  const style = styleOf(app, compat)
  return own === undefined ? defaultDocument(app, style) : completeDocument(own, app, style)
}

function defaultDocument(app: MiniApp, style: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <title>${escapeHtml(titleOf(app))}</title>
    ${style}
  </head>
  <body>
    <div id="app"></div>
    ${script}
  </body>
</html>
`
}

/** Adds styles and entry script; removes the script tag for main.js and uni-app's server-rendering placeholders. */
function completeDocument(html: string, app: MiniApp, style: string): string {
  const without = html
    // ReDoS: the developer's own index.html.
    .replace(/<script\b[^>]*\bsrc=["'](?:\.?\/)?(?:src\/)?main(?:\.m?[jt]s)?["'][^>]*>\s*<\/script>/gi, '')
    .replace(/<!--(?:preload-links|app-html|app-context)-->/g, '')
  const withStyle = insert(withMissingFiles(withStaticScripts(without, app), app), /<\/head>/i, style)
  const withRoot = /\bid=["']app["']/.test(withStyle)
    ? withStyle
    : insert(withStyle, /<\/body>/i, '<div id="app"></div>')
  return withTitle(insert(withRoot, /<\/body>/i, script), app)
}

/**
 * Loads scripts of static folders relative to the document, which may be in any folder of a server. Vite does not
 * bundle them, because they are not modules, and would warn.
 */
function withStaticScripts(html: string, { files }: MiniApp): string {
  return html.replace(
    // ReDoS: the developer's own index.html.
    /<script\b(?![^>]*\btype=["']?module)([^>]*\bsrc=["'])(?:\.?\/)?((?:[^"'?#/]+\/)*?static\/[^"'?#]+)/gi,
    (tag, before: string, path: string) => (files.exists(path) ? `<script vite-ignore${before}./${path}` : tag),
  )
}

/** Leaves links to files that do not exist as they are, as in uni-app. Vite would fail. */
function withMissingFiles(html: string, { files, folder }: MiniApp): string {
  return html.replace(
    // ReDoS: the developer's own index.html.
    /<link\b([^>]*\bhref=["'])((?:\.?\/)?(?![/%])([^"'?#:]+))(?=["'?#])/gi,
    (tag, before: string, href: string, path: string) =>
      files.exists(path) || existsSync(join(folder, path)) ? tag : `<link vite-ignore${before}${href}`,
  )
}

/** Replaces the title of a uni-app project's document, as uni-app does. */
function withTitle(html: string, app: MiniApp): string {
  if (app.platform !== 'H5' || !app.config.names?.title) return html
  // ReDoS: the developer's own index.html.
  return html.replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(titleOf(app))}</title>`)
}

const script = `<script type="module" src="${entry}"></script>`

function insert(html: string, before: RegExp, what: string): string {
  const at = html.search(before)
  return at < 0 ? `${html}${what}\n` : `${html.slice(0, at)}${what}\n${html.slice(at)}`
}

/** Colors of pages in versions of uni-app in which projects change them by variables. */
const colorVariables = `:where(:root){--UI-FG-0:rgb(0 0 0/90%)}\
:where(body,neu-page){background-color:var(--UI-BG-0);color:var(--UI-FG-0)}`

function styleOf(app: MiniApp, compat: Compat): string {
  const { configuration, platform, isUniAppOnH5 } = app
  const { rpxCalcMaxDeviceWidth, rpxCalcBaseDeviceWidth } = configuration.app.style
  const max = platform === 'H5' ? rpxCalcMaxDeviceWidth : undefined
  // uni-app leaves the font of H5 pages to the browser. Any style of the project overrides this.
  const font = isUniAppOnH5 ? '' : ':where(body){font-family:system-ui,sans-serif}'
  const color = compat.hasColorVariables() ? colorVariables : ''
  return `<style>${rpxVariables({ max, base: rpxCalcBaseDeviceWidth ?? 375 })}${font}${color}</style>`
}

/** Returns the title of the launch page; if it has none, on H5, the app's name in uni-app's manifest.json. */
function titleOf({ configuration, launch, platform, config }: MiniApp): string {
  const pageTitle = configuration.pages.find(({ path }) => path === launch?.path)?.style.navigationBarTitleText
  const title = pageTitle ?? configuration.app.style.navigationBarTitleText
  return title || (platform === 'H5' && config.names?.title) || ''
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
