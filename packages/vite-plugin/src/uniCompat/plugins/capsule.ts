import MagicString from 'magic-string'
import type { Plugin } from 'vite'
import type { MiniApp } from '../../miniApp.ts'
import { namespacePattern } from '../../namespaces.ts'
import { isSoukFile } from '../../packages.ts'

/** Matches the function where it is neither called nor assigned. */
// ReDoS: the developer's own files.
const tested = new RegExp(
  `(?<![\\w$.])${namespacePattern}\\.getMenuButtonBoundingClientRect\\b(?!\\s*(?:\\?\\.)?\\(|\\s*=(?!=))`,
  'g',
)

/**
 * Lets code on H5 that tests for getMenuButtonBoundingClientRect find it missing, as in uni-app, to give its own
 * navigation bar the height for browsers. Calls without a test still work.
 */
export function capsule(app: MiniApp): Plugin {
  return {
    name: 'souk:capsule',
    transform: {
      filter: { id: /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/, code: /\.getMenuButtonBoundingClientRect\b/ },
      handler(code, id) {
        if (app.platform !== 'H5' || isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        const text = new MagicString(code).replace(tested, 'undefined')
        return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) } : undefined
      },
    },
  }
}
