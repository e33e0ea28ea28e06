import { parse, toJson } from '@souk/pages'
import type { Plugin } from 'vite'

/** Lets scripts import JSON with comments, and with missing or extra commas, such as pages.json and manifest.json. */
export function json(): Plugin {
  return {
    name: 'souk:json',
    enforce: 'pre',
    transform: {
      filter: { id: /\.json(?:$|\?(?!.*\b(?:raw|url|vue)\b))/, code: /\/[/*]|,\s*[}\],]|[}\]"]\s*[{["]/ },
      handler(code) {
        const { root, findings } = parse(code)
        // Other mistakes are reported by Vite.
        if (root === undefined || !findings.every(({ code }) => /^syntax-comma-(?:extra|missing)$/.test(code)))
          return undefined
        return { code: JSON.stringify(toJson(root)), map: null }
      },
    },
  }
}
