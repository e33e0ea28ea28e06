import type { Platform } from '@souk/pages'
import { expect, test } from 'vitest'
import { documentQueries } from './documentQueries.ts'

function transformed(code: string, platform: Platform = 'H5', isUniAppOnH5 = false): string {
  const { handler } = documentQueries({ platform, isUniAppOnH5 }).transform as {
    handler: (code: string, id: string) => { code: string } | undefined
  }
  return handler(code, '/pages/a.vue')?.code ?? code
}

test.each([
  ["document.querySelectorAll('uni-page-wrapper')[0]", "document.querySelectorAll('neu-page-scroll')[0]"],
  ['document.querySelector( ".a > uni-view.b")', 'document.querySelector( ".a > neu-view.b")'],
  ["document.getElementsByTagName('uni-page-body')", "document.getElementsByTagName('neu-page')"],
  ["document.getElementsByTagName('uni-page-head')", "document.getElementsByTagName('uni-page-head')"],
  ["document.querySelector('uni-page-head')", "document.querySelector('.neu-navbar')"],
  ["document.querySelector('uni-main')", "document.querySelector('uni-main')"],
  ["document.querySelector('#uni-page-wrapper, .view')", "document.querySelector('#uni-page-wrapper, .view')"],
  ["find('uni-view')", "find('uni-view')"],
  ["if (node.tagName === 'UNI-PAGE-BODY') stop()", "if (node.tagName === 'NEU-PAGE') stop()"],
  ['a.nodeName.toLowerCase() != "uni-view"', 'a.nodeName.toLowerCase() != "neu-view"'],
  ["a.tagName === 'UNI-PAGE-HEAD'", "a.tagName === 'UNI-PAGE-HEAD'"],
  ["a.name === 'uni-view'", "a.name === 'uni-view'"],
  ["const c = dom.children[0].getContext('2d')", "const c = __souk_canvasIn(dom).getContext('2d')"],
  [
    "if (a.$el && a.$el.children[0]) all[i].children[0].getContext('2d')",
    "if (a.$el && __souk_canvasIn(a.$el)) __souk_canvasIn(all[i]).getContext('2d')",
  ],
  ["dom.children[0].getContext('webgl')", "dom.children[0].getContext('webgl')"],
  ['if (dom.children[0]) find()', 'if (dom.children[0]) find()'],
])('%s is %s on H5', (code, changed) => {
  expect(transformed(code).replace(/^import .*?;/, '')).toBe(changed)
  expect(transformed(code, 'App')).toBe(code)
})

test('finds the element of a canvas in projects of uni-app', () => {
  const code = "document.querySelector('#a uni-canvas')"
  expect(transformed(code, 'H5', true)).toBe("document.querySelector('#a neu-canvas')")
  expect(transformed("a.tagName === 'UNI-CANVAS'", 'H5', true)).toBe("a.tagName === 'NEU-CANVAS'")
})
