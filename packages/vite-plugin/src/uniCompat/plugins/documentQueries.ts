import MagicString from 'magic-string'
import type { Plugin } from 'vite'
import type { MiniApp } from '../../miniApp.ts'
import { isSoukFile } from '../../packages.ts'
import { replaceTagSelectors } from '../../styles/selectors.ts'
import { selectors } from '../../template/tags.ts'

/** Matches a query of the document for elements of uni-app, with the selector in quotes. */
const query =
  /(\.(querySelector(?:All)?|getElementsByTagName)\(\s*)(["'])((?:(?!\3)[^\\\n])*\buni-(?:(?!\3)[^\\\n])*)\3/g

/** Matches a comparison of the name of an element with one of uni-app, such as `node.tagName === 'UNI-CANVAS'`. */
const nameComparison =
  /(\.(?:tagName|nodeName|localName)(?:\.to(?:Low|Upp)erCase\(\))?\s*[!=]==?\s*(["']))(uni-[a-z-]+)\2/gi

/** The element that scrolls a page. Only scripts look for it, for example to measure its position. */
const pageWrapper = /(?<![\w.#-])uni-page-wrapper(?![\w-])/g

/** Lets scripts on H5 find the elements of uni-app that they look for, as chart libraries do. */
export function documentQueries(app: Pick<MiniApp, 'platform'>): Plugin {
  return {
    name: 'souk:document-queries',
    transform: {
      filter: {
        id: /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/,
        code: /\.(?:querySelector(?:All)?|getElementsByTagName)\(|\.(?:tag|node|local)Name\b/,
      },
      handler(code, id) {
        if (app.platform !== 'H5' || isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        const text = new MagicString(code)
        text.replace(nameComparison, (all, before, quote, name: string) => {
          const own = replaceTagSelectors(name.toLowerCase(), selectors)
          // Not every part of uni-app is a tag of its own in Souk.
          if (!/^[\w-]+$/.test(own)) return all
          return `${before}${name === name.toLowerCase() ? own : own.toUpperCase()}${quote}`
        })
        text.replace(query, (all, before, method, quote, selector: string) => {
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
