import { check, readPages } from '@souk/pages'
import { expect, test } from 'vitest'
import { renderDiagnostics } from './codeFrames.ts'
import { styleFor } from './terminal.ts'

const text = `{
  "pages": [
    { "path": "a/a", "style": { "disableScroll": true, "mp-weixin": {}, "enablePullDownRefresh": "true" } },
    { "path": "b/b", "style": { "disableScroll": true, "navigationBarTextStyle": "whit" } }
  ]
}`

const headings = (isVerbose: boolean) =>
  renderDiagnostics('pages.json', text, check(readPages(text)), styleFor(false), isVerbose)
    .split('\n\n')
    .map((part) => part.split('\n')[0]!)

test('folds page paths and keys of other tools into a line each, and shows errors last', () => {
  expect(headings(false)).toEqual([
    'info[key-ecosystem]: 3 keys are not part of pages-json, but known to other tools: "disableScroll", "mp-weixin" (--verbose lists them)',
    'hint[page-path-form]: 2 paths have another form than pages/<dir>/<name>, and work: "a/a", "b/b" (--verbose lists them)',
    expect.stringMatching(/^warning\[value-unknown\]/),
    expect.stringMatching(/^error\[type-wrong\]/),
    'pages.json: 1 error, 1 warning, 2 hints, 3 info. 2 fixable with souk pages check --fix. No error blocks a release.',
  ])
  expect(headings(true).map((line) => line.replace(/:.*/, ''))).toEqual([
    ...Array(3).fill('info[key-ecosystem]'),
    ...Array(2).fill('hint[page-path-form]'),
    'warning[value-unknown]',
    'error[type-wrong]',
    'pages.json',
  ])
})

test('counts repeated messages after the first three', () => {
  const wrong = '{ "path": "pages/a/a", "style": { "navigationBarTextStyle": "#ffffff" } }'
  const pages = (count: number) =>
    `{ "pages": [\n${Array.from({ length: count }, (_, index) => wrong.replace('a/a', `a/a${index}`)).join(',\n')}\n] }`
  const shown = (count: number, isVerbose: boolean) =>
    renderDiagnostics('pages.json', pages(count), check(readPages(pages(count))), styleFor(false), isVerbose)
      .split('\n\n')
      .map((part) => part.split('\n')[0]!)
  const full = expect.stringMatching(/^warning\[value-unknown\]: "#ffffff"/)
  expect(shown(12, false)).toEqual([
    full,
    full,
    full,
    'warning[value-unknown]: 9 more with the same message, in lines 5, 6, 7, 8, 9, … (--verbose lists them)',
    'pages.json: 12 warnings. 12 fixable with souk pages check --fix.',
  ])
  expect(shown(4, false)).toHaveLength(5)
  expect(shown(12, true)).toHaveLength(13)
})
