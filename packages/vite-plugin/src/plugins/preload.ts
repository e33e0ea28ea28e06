import type { Plugin } from 'vite'

/** The module by which Vite loads the styles and scripts of a chunk that is imported. */
const viteHelper = /^\0vite\/preload-helper\.js$/

/**
 * A third of Vite's helper, for releases with a relative base. It leaves out import maps and browsers without
 * modulepreload, and imports the module while its styles are loading.
 */
const helper = `const loading = {}
function preload(href) {
  const isStyle = href.endsWith('.css')
  const rel = isStyle ? 'stylesheet' : 'modulepreload'
  for (const link of document.querySelectorAll('link')) {
    // A style sheet that is only preloaded has a medium that does not apply.
    if (link.href === href && (!isStyle || (link.rel === rel && !link.media))) return
  }
  const { nonce } = document.querySelector('meta[property=csp-nonce]') ?? {}
  const link = Object.assign(document.createElement('link'), { rel, crossOrigin: '', href }, nonce && { nonce })
  const loaded = isStyle && new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => {
      delete loading[href]
      reject(new Error('Unable to preload CSS for ' + href))
    }
  })
  document.head.append(link)
  return loaded
}
function fail(payload) {
  if (dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }))) throw payload
}
export function __vitePreload(load, deps = [], base) {
  const preloaded = deps.map((dep) => {
    const { href } = new URL(dep, base)
    return Promise.resolve((loading[href] ??= preload(href))).catch(fail)
  })
  const imported = load().catch(fail)
  return Promise.all([imported, ...preloaded]).then(([module]) => module)
}
`

/** Replaces Vite's helper for dynamic imports, which is in the first script of every release, by a smaller one. */
export function preload(): Plugin {
  return {
    name: 'souk:preload',
    apply: 'build',
    transform: {
      filter: { id: viteHelper },
      handler(code) {
        const hasRelativeBase = code.includes('new URL(dep, importerUrl).href')
        return hasRelativeBase && code.includes('export const __vitePreload') ? { code: helper, map: null } : undefined
      },
    },
  }
}
