import type { Platform } from '@souk/pages'
import { expect, test } from 'vitest'
import { documentQueries } from './documentQueries.ts'

function transformed(code: string, platform: Platform = 'H5'): string {
  const { handler } = documentQueries({ platform }).transform as {
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
  ['if (dom.children[0]) find()', 'if (dom.children[0]) find()'],
])('%s is %s on H5', (code, changed) => {
  expect(transformed(code)).toBe(changed)
  expect(transformed(code, 'App')).toBe(code)
})

test('finds the element of a canvas in projects of uni-app', () => {
  const code = "document.querySelector('#a uni-canvas')"
  expect(transformed(code)).toBe("document.querySelector('#a neu-canvas')")
  expect(transformed("a.tagName === 'UNI-CANVAS'")).toBe("a.tagName === 'NEU-CANVAS'")
})
