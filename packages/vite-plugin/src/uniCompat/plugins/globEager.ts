import MagicString from 'magic-string'
import type { Plugin } from 'vite'

// ReDoS: the developer's own files.
const call = /\bimport\.meta\.globEager\(((?:[^()'"`]|'[^']*'|"[^"]*"|`[^`]*`)*?),?\s*\)/g

/** Replaces `import.meta.globEager` of Vite 2, with which projects of that time import their modules. */
export function globEager(): Plugin {
  return {
    name: 'souk:glob-eager',
    enforce: 'pre',
    transform: {
      filter: { code: /\bimport\.meta\.globEager\(/ },
      handler(code) {
        const text = new MagicString(code)
        for (const {
          0: { length },
          1: patterns,
          index,
        } of code.matchAll(call))
          text.update(index, index + length, `import.meta.glob(${patterns}, { eager: true })`)
        return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) } : undefined
      },
    },
  }
}
