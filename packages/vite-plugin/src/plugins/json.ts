import { parse, toJson } from '@souk/pages'
import type { Plugin } from 'vite'

/** Lets scripts import JSON with comments and trailing commas, such as pages.json and manifest.json. */
export function json(): Plugin {
  return {
    name: 'souk:json',
    enforce: 'pre',
    transform: {
      filter: { id: /\.json(?:$|\?(?!.*\b(?:raw|url|vue)\b))/, code: /\/[/*]|,\s*[}\]]/ },
      handler(code) {
        const { root, findings } = parse(code)
        // Other mistakes are reported by Vite.
        if (root === undefined || findings.some(({ code }) => code !== 'syntax-comma-extra')) return undefined
        return { code: JSON.stringify(toJson(root)), map: null }
      },
    },
  }
}
