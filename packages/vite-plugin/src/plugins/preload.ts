import type { Plugin } from 'vite'

/** The module that Vite uses to load the styles and scripts of an imported chunk. */
const viteHelper = /^\0vite\/preload-helper\.js$/

/**
 * Half of Vite's helper, for releases with a relative base. Chromium never requests a script again whose import or
 * `modulepreload` has failed, nor those that import it. It compares URLs with their fragments. So this preloads each
 * script with another fragment each time, and imports it when all of them have been loaded.
 */
const helper = `const loading = {}
let count = 0
function preload(href) {
  const isStyle = href.endsWith('.css')
  for (const each of document.querySelectorAll('link,script')) {
    // A style sheet that is only preloaded has a medium that does not apply.
    if ((each.href || each.src) === href && (!isStyle || (each.rel === 'stylesheet' && !each.media))) return
  }
  const { nonce } = document.querySelector('[nonce]') ?? {}
  const link = Object.assign(document.createElement('link'), { crossOrigin: '' }, nonce && { nonce })
  if (!isStyle && !link.relList.supports('modulepreload')) return
  return new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => {
      delete loading[href]
      link.remove()
      reject(new Error('Unable to load ' + href))
    }
    Object.assign(link, isStyle ? { rel: 'stylesheet', href } : { rel: 'modulepreload', href: href + '#' + count++ })
    document.head.append(link)
  })
}
export function __vitePreload(load, deps = [], base) {
  // Vite does not list a script that has no dependencies.
  const [, script] = /[^.]import\\(.(\\.[^"'\`]+)/.exec(load) ?? []
  const files = script ? [script, ...deps] : deps
  const preloaded = files.map((file) => {
    const { href } = new URL(file, base)
    return (loading[href] ??= preload(href))
  })
  return Promise.all(preloaded)
    .then(load)
    .catch((payload) => {
      const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload })
      if (dispatchEvent(event)) throw payload
    })
}
`

/** Replaces Vite's helper for dynamic imports, which is in the first script of every release. */
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
