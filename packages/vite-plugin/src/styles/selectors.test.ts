import { expect, test } from 'vitest'
import { limitToPage, replaceTagSelectors, withDeepFunction } from './selectors.ts'

const tags = new Set(['view', 'text', 'page', 'button', 'scroll-view'])

test.each([
  ['view', 'neu-view'],
  ['page, .view > text.on:first-child', 'neu-page, .view > neu-text.on:first-child'],
  ['view+text~scroll-view', 'neu-view+neu-text~neu-scroll-view'],
  ['#view .text[view="view"] text::before', '#view .text[view="view"] neu-text::before'],
  [':not(view, .a):is(text) :nth-child(2n + 1)', ':not(neu-view, .a):is(neu-text) :nth-child(2n + 1)'],
  [':deep(view) ::v-deep(text) :lang(text)', ':deep(neu-view) ::v-deep(neu-text) :lang(text)'],
  ['view-item my-view views .a-view', 'view-item my-view views .a-view'],
  ['svg text, text', 'svg text, neu-text'],
  ['.a\\:view view', '.a\\:view neu-view'],
  ['[title="a]view"] view', '[title="a]view"] neu-view'],
  ['*', '*'],
  ['&:hover view', '&:hover neu-view'],
  ['.view-2 view-2', '.view-2 view-2'],
  ['uni-view > uni-scroll-view, uni-my-part', 'neu-view > neu-scroll-view, uni-my-part'],
  ['uni-page-body uni-views', 'neu-page uni-views'],
  ['uni-app page > .uni-app', 'neu-app neu-page > .uni-app'],
  ['uni-page-head, uni-tabbar view', '.neu-navbar, .uni-tabbar-bottom neu-view'],
  ['.uni-input-input.a, #uni-input-input', '.neu-input-control.a, #uni-input-input'],
  ['.uni-switch-input-checked::before', '.neu-switch-control:checked::before'],
])('%s is %s', (selector, css) => expect(replaceTagSelectors(selector, tags)).toBe(css))

test('in a page’s own style, `page` is that page', () => {
  expect(replaceTagSelectors('page, page.a > view', tags, 'pages/a/a')).toBe(
    'neu-page[data-page="pages/a/a"], neu-page[data-page="pages/a/a"].a > neu-view',
  )
  expect(replaceTagSelectors('page', tags, 'pages/"a b"')).toBe('neu-page[data-page="pages/\\22 a\\20 b\\22 "]')
  expect(replaceTagSelectors('.page #page svg page', tags, 'pages/a/a')).toBe('.page #page svg page')
})

const others = ':where(:not(neu-page:not([data-page="p/a"]) *))'
test.each([
  ['.a > .b', `.a > .b${others}`],
  ['.a:hover::before', `.a:hover${others}::before`],
  ['.a:after', `.a${others}:after`],
  ['.after:first-child', `.after:first-child${others}`],
  ['.hover\\:before\\:block:hover::before', `.hover\\:before\\:block:hover${others}::before`],
])('limits %s to its page', (selector, css) => expect(limitToPage(selector, 'p/a')).toBe(css))

test.each([
  ['.a ::v-deep .b', '.a :deep(.b)'],
  ['.a::v-deep.b::after', '.a:deep(.b::after)'],
  ['::v-deep .a ::v-deep .b', ':deep(.a .b)'],
  ['.a ::v-deep(.b)', '.a ::v-deep(.b)'],
])('replaces the combinator in %s', (selector, css) => expect(withDeepFunction(selector)).toBe(css))
