import MagicString from 'magic-string'
import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { replaceTagSelectors } from '../styles/selectors.ts'
import { selectors } from '../template/tags.ts'

/** Matches a query of the document for elements of uni-app, with the selector in quotes. */
const query =
  /(\.(querySelector(?:All)?|getElementsByTagName)\(\s*)(["'])((?:(?!\3)[^\\\n])*\buni-(?:(?!\3)[^\\\n])*)\3/g

/** The element that scrolls a page. Only scripts look for it, for example to measure its position. */
const pageWrapper = /(?<![\w.#-])uni-page-wrapper(?![\w-])/g

/** Lets scripts on H5 find the elements of uni-app that they look for: chart libraries look for `uni-page-wrapper`. */
export function documentQueries(app: MiniApp): Plugin {
  return {
    name: 'souk:document-queries',
    transform: {
      filter: {
        id: /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/,
        code: /\.(?:querySelector(?:All)?|getElementsByTagName)\([^)]*uni-/,
      },
      handler(code, id) {
        if (app.platform !== 'H5' || isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        const text = new MagicString(code).replace(query, (all, before, method, quote, selector: string) => {
          const own = replaceTagSelectors(selector.replace(pageWrapper, 'neu-page-scroll'), selectors)
          // Not every part of uni-app is a tag of its own in Souk.
          const isTag = /^[\w-]+$/.test(own)
          return method === 'getElementsByTagName' && !isTag ? all : `${before}${quote}${own}${quote}`
        })
        return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) } : undefined
      },
    },
  }
}
