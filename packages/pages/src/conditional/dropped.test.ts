import { expect, test } from 'vitest'
import { type Platform, platforms } from '../diagnostic.ts'
import { droppedBlocks } from './dropped.ts'

/** Returns the dropped blocks by platform, as `line condition > platforms that keep it`. */
function dropped(text: string): Partial<Record<Platform, string[]>> {
  const found = platforms.map((platform) => [
    platform,
    droppedBlocks(text, platform).map(
      ({ offset, condition, keptBy }) =>
        `${text.slice(0, offset).split('\n').length} ${condition} > ${keptBy.join(', ')}`,
    ),
  ])
  return Object.fromEntries(found.filter(([, blocks]) => blocks!.length > 0))
}

const login = `function login() {
// #ifdef APP-PLUS
  neu.login({ success: save })
// #endif
}`

test.each<[name: string, text: string, expected: Partial<Record<Platform, string[]>>]>([
  ['a call that only App has', login, { H5: ['2 #ifdef APP-PLUS > App'], 'Mini App': ['2 #ifdef APP-PLUS > App'] }],
  ['what one platform leaves out', '// #ifndef H5\npay()\n// #endif', { H5: ['1 #ifndef H5 > App, Mini App'] }],
  [
    'a block for two platforms',
    '/* #ifdef H5 || APP */ .a { color: red } /* #endif */',
    { 'Mini App': ['1 #ifdef H5 || APP > H5, App'] },
  ],
  [
    'a tag',
    '<view>\n<!-- #ifdef H5 -->\n<web-pay />\n<!-- #endif -->\n</view>',
    { App: ['2 #ifdef H5 > H5'], 'Mini App': ['2 #ifdef H5 > H5'] },
  ],
  [
    'a key of pages.json',
    '{\n// #ifdef APP-PLUS\n"a": 1,\n// #endif\n"b": 2 }',
    { H5: ['2 #ifdef APP-PLUS > App'], 'Mini App': ['2 #ifdef APP-PLUS > App'] },
  ],
  ['an #else', '// #ifdef APP-PLUS\na()\n// #else\nb()\n// #endif', {}],
  ['an empty #else, which is a branch too', '// #ifdef APP-PLUS\na()\n// #else\n// #endif', {}],
  [
    'branches for all',
    '// #ifdef H5\na()\n// #endif\n// #ifdef APP-PLUS\nb()\n// #endif\n// the rest\n// #ifdef MP\nc()\n// #endif',
    {},
  ],
  [
    'branches for two',
    '// #ifdef H5\na()\n// #endif\n\n// #ifdef APP-PLUS\nb()\n// #endif',
    { 'Mini App': ['1 #ifdef H5 > H5', '5 #ifdef APP-PLUS > App'] },
  ],
  [
    'a statement between branches',
    '// #ifdef H5\na()\n// #endif\nb()\n// #ifndef H5\nc()\n// #endif',
    { H5: ['5 #ifndef H5 > App, Mini App'], App: ['1 #ifdef H5 > H5'], 'Mini App': ['1 #ifdef H5 > H5'] },
  ],
  [
    'one name in distant branches',
    "// #ifdef H5\nconst base = '/api'\n// #endif\nrun()\n// #ifndef H5\nconst base = 'https://a.example'\n// #endif",
    {},
  ],
  [
    'one import in distant branches',
    "// #ifdef H5\nimport pay from './web'\n// #endif\nimport a from 'a'\n// #ifndef H5\nimport pay from './app'\n// #endif",
    {},
  ],
  [
    'one method in distant branches',
    '// #ifdef H5\nasync pay(a) {\n},\n// #endif\nb() {},\n// #ifndef H5\npay() {\n},\n// #endif',
    {},
  ],
  [
    'one rule in distant branches',
    '/* #ifdef H5 */\n.a  { top: 44px }\n/* #endif */\n.b { top: 0 }\n/* #ifndef H5 */\n.a { top: 0 }\n/* #endif */',
    {},
  ],
  [
    'calls of one function in distant branches, which do different things',
    "// #ifdef H5\nneu.request('a')\n// #endif\nb()\n// #ifndef H5\nneu.request('c')\n// #endif",
    { H5: ['5 #ifndef H5 > App, Mini App'], App: ['1 #ifdef H5 > H5'], 'Mini App': ['1 #ifdef H5 > H5'] },
  ],
  ['mini programs of other hosts only', '// #ifdef MP-WEIXIN || MP-ALIPAY\nwx.login()\n// #endif', {}],
  [
    'mini programs of other hosts, with a counterpart',
    '// #ifdef MP-WEIXIN\nwx.login()\n// #endif\n// #ifndef MP-WEIXIN\nlogin()\n// #endif',
    {},
  ],
  ['what is left out for another host', '// #ifndef MP-WEIXIN\nlogin()\n// #endif', {}],
  ['Vue 2 and nvue', '// #ifndef VUE3\na()\n// #endif\n// #ifdef APP-NVUE\nb()\n// #endif', {}],
  [
    'systems of App',
    '// #ifdef APP-IOS\na()\n// #endif',
    { H5: ['1 #ifdef APP-IOS > App'], 'Mini App': ['1 #ifdef APP-IOS > App'] },
  ],
  [
    'a block in a block, which counts once',
    '// #ifdef APP-PLUS\na()\n// #ifdef APP-IOS\nb()\n// #endif\n// #endif',
    { H5: ['1 #ifdef APP-PLUS > App'], 'Mini App': ['1 #ifdef APP-PLUS > App'] },
  ],
  [
    'a block in a block that is kept',
    '// #ifndef H5\na()\n// #ifdef MP\nb()\n// #endif\nc()\n// #endif',
    { H5: ['1 #ifndef H5 > App, Mini App'], App: ['3 #ifdef MP > Mini App'] },
  ],
  ['comments only', '// #ifdef APP-PLUS\n// nothing yet\n// #endif', {}],
  ['a block that is not closed, which has no effect', '// #ifdef APP-PLUS\na()', {}],
])('%s', (_, text, expected) => {
  expect(dropped(text)).toEqual(expected)
})

test('takes little time for any nesting and any comments', () => {
  const depth = 3000
  const nested = `${'// #ifdef APP-PLUS\n'.repeat(depth)}a()\n${'// #endif\n'.repeat(depth)}`
  const slashes = `// #ifdef APP-PLUS\n${'/'.repeat(30_000)}\na()\n// #endif\n${'/'.repeat(30_000)}\nb()\n// #ifdef H5\nc()\n// #endif`
  const start = performance.now()
  expect(droppedBlocks(nested, 'H5')).toHaveLength(1)
  expect(droppedBlocks(slashes, 'Mini App')).toHaveLength(2)
  expect(performance.now() - start).toBeLessThan(2000)
})
