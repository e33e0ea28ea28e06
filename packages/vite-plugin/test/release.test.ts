import fs, { existsSync } from 'node:fs'
import { readFile, rename, symlink } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ConfigError, FolderError, PagesError, type ReleaseOptions, release } from '../src/index.ts'
import { type Files, pagesOf, projectOf, textOf, writeFiles } from './project.ts'

/** Builds a release and returns its scripts, styles and document as text. */
async function buildRelease(files: Files, options: Omit<ReleaseOptions, 'project'> = {}) {
  const project = await projectOf(files)
  const result = await release({ platform: 'H5', project, ...options })
  const read = (path: string) => readFile(join(result.folder, path), 'utf8')
  const paths = result.files.map(({ path }) => path)
  return {
    ...result,
    project,
    paths,
    read,
    scripts: await textOf(result.folder, result.files, '.js'),
    styles: await textOf(result.folder, result.files, '.css'),
    html: await read('index.html'),
    /** Returns the script of a page, which for the launch page can be the first one. */
    page: (path: string) =>
      read(paths.find((each) => each.startsWith(`assets/${path.replaceAll('/', '-')}-`)) ?? result.firstLoad[0]!),
    entry: await read(result.firstLoad[0]!),
  }
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a release works at any base path and has a manifest for hosts', async () => {
  const { html, paths, folder, project, read } = await buildRelease(pagesOf(['pages/a/a', 'pages/b/b']))
  expect(folder).toBe(join(project, 'dist/h5'))
  expect(html).toContain('<div id="app"></div>')
  expect(html.match(/(?:src|href)="[^"]*"/g)!.every((each) => /="\.\/assets\//.test(each))).toBe(true)
  expect(html).toContain('--rpx:calc(100vw / 750)')
  expect(paths.filter((path) => path.endsWith('.map'))).toEqual([])
  expect(JSON.parse(await read('souk-app.json'))).toMatchObject({
    version: 1,
    app: { platform: 'H5', launch: 'pages/a/a', tabBar: null },
    pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }],
  })
})

test('source maps are beside the release, refer to the sources of the project, and contain none', async () => {
  const page = `<script setup>\nimport Part from './part.vue'\nfunction fail() {\n  throw new Error('here')\n}\n</script>
<template><view @tap="fail"><Part /><text>{{ $t }}</text></view></template>`
  const files = {
    ...pagesOf(['pages/b/b', 'pages/a/a']),
    'pages/a/a.vue': page,
    'pages/a/part.vue': '<template><text>x</text></template>',
  }
  const { folder, sourceMaps, paths, project, read, page: scriptOf } = await buildRelease(files)
  expect(sourceMaps).toBe(`${folder}-source-maps`)
  expect(paths.filter((path) => path.endsWith('.map'))).toEqual([])
  const path = paths.find((each) => each.startsWith('assets/pages-a-a-'))!
  const script = await scriptOf('pages/a/a')
  expect(script).not.toContain('sourceMappingURL')
  const text = await readFile(join(sourceMaps, `${path}.map`), 'utf8')
  expect(text).not.toContain('throw new Error')
  const map = new TraceMap(text)
  const line = script.slice(0, script.indexOf('`here`')).split('\n')
  const at = { line: line.length, column: line.at(-1)!.length - 'Error('.length }
  expect(originalPositionFor(map, at)).toMatchObject({ source: 'pages/a/a.vue', line: 4 })
  const entry = JSON.parse(
    await readFile(
      join(sourceMaps, `${paths.find((each) => each.startsWith('assets/index-') && each.endsWith('.js'))}.map`),
      'utf8',
    ),
  )
  expect(entry.sources.filter((source: string) => /^(?:\/|\.\.)/.test(source) || source.includes(project))).toEqual([])
  expect(entry.sources).toContain('runtime/src/createMiniApp.ts')
  expect(entry.sources).toContainEqual(expect.stringMatching(/^node_modules\/@vue\/runtime-core\//))

  await writeFiles(sourceMaps, { 'notes.txt': 'mine' })
  await expect(release({ platform: 'H5', project })).rejects.toThrow('notes.txt, which is not a source map')
  expect(await read('index.html')).toContain('<div id="app">')
})

test('the manifest has the required runtime of package.json, which must be a minimum', async () => {
  const engines = (souk: string) => ({ 'package.json': JSON.stringify({ engines: { node: '>=20', souk } }) })
  const { project, read } = await buildRelease({ ...pagesOf(['a']), ...engines('>=0.2') })
  expect(JSON.parse(await read('souk-app.json'))).toMatchObject({ version: 1, minRuntime: '0.2.0' })
  // Editors on Windows may write a byte order mark.
  await writeFiles(project, { 'package.json': `\uFEFF${engines('>=0.3')['package.json']}` })
  await release({ platform: 'H5', project })
  expect(JSON.parse(await read('souk-app.json'))).toMatchObject({ minRuntime: '0.3.0' })
  await writeFiles(project, engines('^0.2.0'))
  await expect(release({ platform: 'H5', project })).rejects.toThrow('engines.souk is "^0.2.0"')
})

test('the manifest has custom events, and functions of the host, whose schemas no first load contains', async () => {
  const schemas = { input: { type: 'object', description: 'Schema of the input.' }, result: {} }
  const { read, files } = await buildRelease({
    ...pagesOf(['a']),
    'host-functions.json': { storeLocator: schemas, loyaltyCard: schemas },
    'custom-events.json': { order: {} },
    'a.vue': '<script setup>neu.reportEvent("order")</script><template><view>This is a</view></template>',
  })
  expect(JSON.parse(await read('souk-app.json'))).toMatchObject({
    hostFunctions: ['loyaltyCard', 'storeLocator'],
    customEvents: { order: {} },
  })
  const scripts = files.map(({ path }) => path).filter((path) => path.endsWith('.js'))
  const texts = await Promise.all(scripts.map(read))
  const containing = (text: string) => scripts.filter((_, index) => texts[index]!.includes(text))
  expect(containing('Schema of the input.')).toEqual([expect.stringMatching(/host-functions/)])
  expect(containing('reportEvent:fail')).not.toEqual([])
  // Hints are for development only.
  expect(containing('is not counted unless')).toEqual([])
})

test('the manifest has what differs in dark mode and in other languages, and the release the images of each', async () => {
  const { paths, read } = await buildRelease({
    ...pagesOf(['pages/a a/a']),
    'pages.json': {
      pages: [{ path: 'pages/a a/a', style: { navigationBarTitleText: '%title%' } }],
      globalStyle: { titleImage: '@logo' },
    },
    'manifest.json': { h5: { darkmode: true, themeLocation: 'themes/app.json' }, locale: 'fr' },
    'themes/app.json': { light: { logo: 'images/light.png' }, dark: { logo: '/images/dark.png' } },
    'locale/en.json': { title: 'Home' },
    'locale/fr.json': { title: 'Accueil' },
    'images/light.png': pixel,
    'images/dark.png': pixel,
  })
  expect(JSON.parse(await read('souk-app.json'))).toMatchObject({
    app: {
      locale: 'fr',
      style: { titleImage: 'images/light.png' },
      appearances: { dark: [[['style', 'titleImage'], 'images/dark.png']] },
    },
    pages: [
      {
        style: { navigationBarTitleText: 'Accueil' },
        appearances: { languages: { en: [[['style', 'navigationBarTitleText'], 'Home']], fr: [] } },
      },
    ],
  })
  expect(paths).toEqual(expect.arrayContaining(['images/light.png', 'images/dark.png']))
})

test('accepts a symbolic link to the project folder', async () => {
  const project = await projectOf({
    ...pagesOf(['pages/a/a']),
    'App.vue': '<style>view { color: red }</style>',
    'pages/a/a.vue': '<template><view>a page</view></template><style>page { color: red }</style>',
  })
  const link = join(project, 'link')
  await symlink(project, link)
  for (const named of [link, join(link, 'pages.json')]) {
    const { folder, files } = await release({ platform: 'H5', project: named })
    expect(await textOf(folder, files, '.css')).toContain('neu-page[data-page')
    expect(await textOf(folder, files, '.js')).toContain('a page')
  }
})

test('the first load does not grow with the number of pages', async () => {
  const paths = (count: number) => Array.from({ length: count }, (_, index) => `pages/page${index}/page${index}`)
  const small = await buildRelease(pagesOf(paths(3)))
  const large = await buildRelease(pagesOf(paths(60)))
  const weight = async ({ firstLoad, read }: typeof small) =>
    (await Promise.all(firstLoad.map(async (path) => gzipSync(await read(path)).length))).reduce((a, b) => a + b, 0)
  expect(Math.abs((await weight(large)) - (await weight(small)))).toBeLessThan(50)
  expect(large.entry).not.toContain('page59')
  expect(large.firstLoad).toHaveLength(small.firstLoad.length)
  expect(await large.page('pages/page59/page59')).toContain('This is pages/page59/page59')
})

test('the launch page loads Souk and Vue with its tags as one script', async () => {
  const files = pagesOf(['pages/a/a', 'pages/b/b'])
  const page = '<template><button>{{ 1 + 1 }}</button><navigator url="/pages/b/b">b</navigator></template>'
  const {
    firstLoad,
    entry,
    page: scriptOf,
  } = await buildRelease({
    ...files,
    'pages/a/a.vue': `<script>\nconsole.log('not inert')\n</script>\n${page}`,
    'pages/b/b.vue': page.replace('navigator', 'image').replace('/navigator', '/image'),
  })
  expect(firstLoad.map((path) => path.replace(/-[\w-]{8}\.js$/, ''))).toEqual(['assets/index', 'assets/pages-a-a'])
  expect(entry).toContain('neu-navigator-link')
  expect(await scriptOf('pages/a/a')).not.toContain('neu-navigator-link')
  // Only another page shows images.
  expect(entry).not.toContain('neu-image-content')
})

test.each([
  ['inert', '', '', 'index'],
  ['not inert', `const shared = getApp()`, '', 'index main pages-a-a'],
  ['not inert, because it imports such a module', `import './part.js'`, '', 'index main pages-a-a'],
  ['inert, but App.vue is not', '', 'uni.setLocale("en")', 'index main pages-a-a'],
])('the launch page is part of the first script if it is inert: %s', async (_, page, root, expected) => {
  const { firstLoad } = await buildRelease({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'App.vue': `<script>\n${root}\nexport default { onLaunch() {} }\n</script>`,
    'pages/a/a.vue': `<script>\n${page}\n</script>\n<script setup>\nimport Card from './card.vue'\n</script>\n<template><Card title="x" /></template>`,
    'pages/a/card.vue':
      '<script setup>\ndefineProps({ title: String })\n</script>\n<template><view>{{ title }}</view></template>',
    'pages/a/part.js': 'console.log(1)',
  })
  expect(
    firstLoad
      .map((path) => /^assets\/(.+)-[\w-]{8}\.js$/.exec(path)?.[1])
      .sort()
      .join(' '),
  ).toBe(expected)
})

test('loads functions of neu before the modules that mention them', async () => {
  const page = (code: string) =>
    `<script setup>\nconst f = () => ${code}\n</script>\n<template><view @tap="f" /></template>`
  const {
    entry,
    page: scriptOf,
    scripts,
  } = await buildRelease({
    ...pagesOf(['pages/a/a', 'pages/b/b', 'pages/c/c']),
    'pages/a/a.vue': page('uni.navigateTo({ url: "/pages/b/b" })'),
    'pages/b/b.vue': page('uni.setStorageSync("a", 1)'),
    'pages/c/c.vue': page('uni["showToast"]({})'),
  })
  expect(entry).not.toMatch(/setStorageSync|getSystemInfoSync|createSelectorQuery|showToast/)
  expect(await scriptOf('pages/a/a')).not.toMatch(/setStorageSync/)
  expect(await scriptOf('pages/b/b')).toMatch(/import"\.\/neu-/)
  expect(scripts).toContain('getSystemInfoSync')
  const whole = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'index.html':
      '<html><head><script>addEventListener("load", () => uni.getSystemInfoSync())</script></head><body></body></html>',
  })
  expect(whole.entry).toContain('getSystemInfoSync')
  expect(whole.entry).not.toContain('createSelectorQuery')
})

test.each([
  ['by a function', `(id) => (id.includes('/@vue/') ? 'vue' : undefined)`],
  ['by lists of packages, as for Rollup', `{ vue: ['vue', '@vue/runtime-core'] }`],
  ['by lists of files, as for Rollup', `{ vue: ['./pages/a/a.vue'] }`],
])('a project can choose its chunks itself, %s', async (_, manualChunks) => {
  const { paths } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'vite.config.mjs': `export default { build: { rollupOptions: { output: { manualChunks: ${manualChunks} } } } }`,
  })
  expect(paths).toContainEqual(expect.stringMatching(/^assets\/vue-.*\.js$/))
})

test.each([
  ['inert', ''],
  ['not inert', '<script>\ngetApp()\n</script>\n'],
])('the launch page loads one style sheet, which other pages do not load again: %s', async (_, script) => {
  const card = '<template><view class="card" /></template>\n<style>\n.card { color: red }\n</style>\n'
  const page = (name: string) =>
    `${script}<script setup>\nimport Card from '../../card.vue'\n</script>\n<template><Card class="${name}" /></template>\n<style>\n.${name} { color: green }\n</style>\n`
  const { html, paths, read } = await buildRelease({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'App.vue': '<script>export default {}</script>\n<style>\npage { color: blue }\n</style>\n',
    'card.vue': card,
    'pages/a/a.vue': page('one').replace('<Card', '<button><Card').replace(' /></template>', ' /></button></template>'),
    'pages/b/b.vue': page('two'),
  })
  const sheets = [...html.matchAll(/<link rel="stylesheet"[^>]* href="\.\/([^"]+)"/g)].map(([, path]) => path!)
  expect(sheets).toHaveLength(1)
  const first = await read(sheets[0]!)
  // A page overrides the styles of its components, as in development.
  const order = ['neu-view', '.neu-button-spinner', 'color:#00f', '.card', '.one'].map((part) => first.indexOf(part))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
  expect(first).not.toContain('.two')

  const others = await Promise.all(paths.filter((path) => path.endsWith('.css') && path !== sheets[0]).map(read))
  expect(others.filter((css) => css.includes('.two'))).toHaveLength(1)
  expect(others.filter((css) => css.includes('.card') || css.includes('.one'))).toEqual([])
  const routes = await read(paths.find((path) => path.startsWith('assets/routes-'))!)
  expect(routes).toContain(sheets[0]!.slice('assets/'.length))
})

test('links the style sheets of the launch page one by one if one of them imports another', async () => {
  const { html, styles } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'main.js': 'console.log(1)',
    'App.vue':
      "<script>export default {}</script>\n<style>\n@import 'https://fonts.example/icons.css';\npage { color: blue }\n</style>\n",
    'pages/a/a.vue':
      '<script>\nconsole.log(2)\n</script>\n<template><view class="one" /></template>\n<style>\n.one { color: green }\n</style>\n',
  })
  expect(html.match(/<link rel="stylesheet"/g)).toHaveLength(3)
  expect(styles).toMatch(/(?:^|\n)@import ?["']https:\/\/fonts\.example\/icons\.css["'];/)
})

test('keeps filters that are followed by the same one with a prefix', async () => {
  const { styles } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<template><view class="a" /></template>
<style>
.a { backdrop-filter: blur(12px); -webkit-backdrop-filter: blur(12px); filter: blur(3px); -webkit-filter: blur(3px) }
</style>`,
  })
  expect(styles).toMatch(/[;{]backdrop-filter:blur\(12px\)/)
  expect(styles).toMatch(/[;{]filter:blur\(3px\)/)
})

test('a subpackage is one chunk', async () => {
  const { paths, scripts, page } = await buildRelease({
    ...pagesOf(['pages/a/a', 'shop/b/b', 'shop/c/c']),
    'pages.json': {
      pages: [{ path: 'pages/a/a' }],
      subPackages: [{ root: 'shop', pages: [{ path: 'b/b' }, { path: 'c/c' }] }],
    },
  })
  expect(paths.filter((path) => /^assets\/shop/.test(path))).toHaveLength(1)
  const shop = await page('shop')
  expect(shop).toContain('This is shop/b/b')
  expect(shop).toContain('This is shop/c/c')
  expect(scripts.split('This is shop/b/b')).toHaveLength(2)
})

test('lists the files of the first twenty pages outside of subpackages, to be loaded before the pages are opened', async () => {
  const pages = Array.from({ length: 22 }, (_, index) => `pages/p${index}/p${index}`)
  const { paths, read } = await buildRelease({
    ...pagesOf([...pages, 'shop/b/b']),
    'pages.json': {
      pages: pages.map((path) => ({ path })),
      subPackages: [{ root: 'shop', pages: [{ path: 'b/b' }] }],
    },
    'pages/p1/p1.vue': '<template><view class="one" /></template>\n<style>\n.one { color: green }\n</style>\n',
  })
  const routes = await read(paths.find((path) => path.startsWith('assets/routes-'))!)
  const [, list] = /\{const files = (\[.*?\])/.exec(routes) ?? []
  const names = (JSON.parse(list!) as string[]).map((file) => file.replace(/-[\w-]{8}\./, '.'))
  expect(names.toSorted()).toEqual(
    ['p1.css', ...Array.from({ length: 20 }, (_, index) => `pages-p${index + 1}-p${index + 1}.js`)].toSorted(),
  )
})

test('imports used components only, and prefers those that the page registers', async () => {
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<template><view><my-used /><my-local /><my-global /></view></template>
<script>
import local from './local.vue'
export default { components: { MyLocal: local } }
</script>`,
    'pages/a/local.vue': '<template><text>the local one</text></template>',
    'components/my-used/my-used.vue': '<template><text>used component</text></template>',
    'components/my-local/my-local.vue': '<template><text>the other one</text></template>',
    'components/my-unused/my-unused.vue': '<template><text>unused component</text></template>',
  })
  expect(scripts).toContain('used component')
  expect(scripts).toContain('the local one')
  expect(scripts).not.toContain('the other one')
  expect(scripts).not.toContain('unused component')
})

test('includes both components if a mixin registers one, and chooses at run time', async () => {
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<template><view><my-local /></view></template>
<script>
import { defineComponent } from 'vue'
import mixin from './mixin.js'
export default defineComponent({ mixins: [mixin], components: { ...mixin.components } })
</script>`,
    'pages/a/mixin.js': `import MyLocal from './local.vue'\nexport default { components: { MyLocal } }`,
    'pages/a/local.vue': '<template><text>the local one</text></template>',
    'components/my-local/my-local.vue': '<template><text>the other one</text></template>',
  })
  expect(scripts).toContain('the local one')
  expect(scripts).toContain('the other one')
})

test('prefers an import in script setup', async () => {
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<template><view><my-item /></view></template>\n<script setup>import MyItem from './local.vue'</script>`,
    'pages/a/local.vue': '<template><text>the local one</text></template>',
    'components/my-item/my-item.vue': '<template><text>the other one</text></template>',
  })
  expect(scripts).toContain('the local one')
  expect(scripts).not.toContain('the other one')
})

const conditional = {
  ...pagesOf(['pages/a/a']),
  'pages.json': `{ "pages": [ { "path": "pages/a/a", "style": {
    // #ifdef H5
    "navigationBarTitleText": "Web"
    // #endif
    // #ifndef H5
    "navigationBarTitleText": "Host"
    // #endif
  } } ] }`,
  'pages/a/a.vue': `<template>
  <view>
    <!-- #ifdef H5 --><text>It's the web</text><!-- #endif -->
    <!-- #ifdef APP --><text>It's the app</text><!-- #endif -->
    <!-- #ifdef MP-NEU --><text>It's the mini app</text><!-- #endif -->
    {{ place }} {{ other }} {{ data }}
  </view>
</template>
<script setup lang="ts">
import { other } from './other.js'
import data from './data.json'
let place: string
// #ifdef H5
place = 'script of the web'
// #endif
// #ifndef H5
place = 'script of a host'
// #endif
</script>
<style>
/* #ifdef H5 */
.web { color: red }
/* #endif */
/* #ifndef H5 */
.host { color: red }
/* #endif */
</style>`,
  'pages/a/other.js': `// #ifdef H5\nexport const other = 'other web'\n// #endif\n// #ifndef H5\nexport const other = 'other host'\n// #endif\n`,
  'pages/a/data.json': `{\n// #ifdef H5\n"place": "data web"\n// #endif\n// #ifndef H5\n"place": "data host"\n// #endif\n}`,
}

test.each([
  ['H5', "It's the web", 'web', 'Web', 'h5'],
  ['App', "It's the app", 'host', 'Host', 'app'],
  ['Mini App', "It's the mini app", 'host', 'Host', 'mini-app'],
] as const)('a build for %s contains only its conditional code', async (platform, text, place, title, folder) => {
  const result = await buildRelease(conditional, { platform })
  const shown = await result.page('pages/a/a')
  expect(shown.match(/It's the [\w ]+/g)).toEqual([text])
  for (const sign of [`script of ${place === 'web' ? 'the' : 'a'} ${place}`, `other ${place}`, `data ${place}`]) {
    expect(shown).toContain(sign)
  }
  expect(shown).not.toMatch(place === 'web' ? /(?:other|data) host/ : /(?:other|data) web/)
  expect(result.styles.match(/\.(?:web|host)\b/g)).toEqual([`.${place}`])
  expect(result.html).toContain(`<title>${title}</title>`)
  expect(result.folder).toBe(join(result.project, 'dist', folder))
  // Releases for hosts include pages.json for the console; H5 releases are public.
  const source = platform === 'H5' ? undefined : await readFile(join(result.project, 'pages.json'), 'utf8')
  expect(result.paths.includes('pages.json') ? await result.read('pages.json') : undefined).toBe(source)
})

test.each([
  [{}, '', '<title>Shop &amp; more</title>'],
  [{ h5: { title: 'Web shop' } }, '<title>Mine</title>', '<title>Web shop</title>'],
  [{ h5: { title: 'Web shop' } }, '', '<title>Web shop</title>'],
  [{ name: '' }, '<title>Mine</title>', '<title>Mine</title>'],
])('a page without a title gives an H5 document the title of manifest.json: %o', async (manifest, head, title) => {
  const { html } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'manifest.json': { name: 'Shop & more', vueVersion: '3', ...manifest },
    ...(head && { 'index.html': `<!DOCTYPE html><html><head>${head}</head><body></body></html>` }),
  })
  expect(html).toContain(title)
})

test('converts rpx and tags in scoped and unscoped styles', async () => {
  const { styles } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages.json': { globalStyle: { rpxCalcIncludeWidth: 700 }, pages: [{ path: 'pages/a/a' }] },
    'pages/a/a.vue': `<template><view class="a"><button class="b">a</button></view></template>
<style scoped>
page { background: #eee }
.head { position: sticky; top: calc(var(--window-top) + 1px); height: 10vh }
.foot { position: fixed; bottom: var(--window-bottom) }
view.a > button { width: 100rpx; height: 700rpx }
@media (min-width: 750rpx) { text { margin: 1px } }
</style>`,
  })
  expect(styles).toMatch(/neu-page\[data-page=(?:"pages\/a\/a"|pages\\\/a\\\/a)\]\{background:#eee\}/)
  // H5 pages scroll between the bars, so sticky elements need no inset.
  expect(styles).toMatch(/\.head\[data-v-\w+\]\{height:10vh;position:sticky;top:(?:calc\(0px \+ 1px\)|1px)\}/)
  expect(styles).toMatch(/\.foot\[data-v-\w+\]\{[^}]*bottom:var\(--window-bottom\)/)
  expect(styles).toMatch(
    /neu-view\.a>neu-button\[data-v-\w+\]\{width:calc\(100 \* var\(--rpx\)\);height:calc\(700 \* var\(--rpx-included\)\)\}/,
  )
  expect(styles).toMatch(/@media \(width>=375px\)\{neu-text\[data-v-\w+\]/)
})

test('builds render functions of components, modules, packages and JSX', async () => {
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<script>
import { h as create, ref } from 'vue'
import { box } from '@/box.js'
import Card from '@/card.jsx'
import { line } from 'kit'
export default {
  setup() {
    const size = ref('1rpx')
    return () => create('view', { style: { width: size.value } }, [box(), line(), create(Card)])
  },
}
</script>`,
    'box.js':
      "import { cloneVNode, createVNode } from 'vue'\nexport const box = () => cloneVNode(createVNode('view'), { style: 'top: 2rpx' })",
    'card.jsx':
      "import { createVNode as _createVNode } from 'vue'\nexport default () => _createVNode('view', { style: ['left: 3rpx'] })",
    'node_modules/kit/package.json': { name: 'kit', version: '1.0.0', main: 'index.js', type: 'module' },
    'node_modules/kit/index.js': "import{h}from'vue';export const line=()=>h('view',{style:{height:'4rpx'}})",
  })
  for (const rpx of ['1rpx', 'top: 2rpx', 'left: 3rpx', '4rpx']) expect(scripts).toContain(rpx)
  expect(scripts).not.toContain('__souk_unused')
})

test.each(['css', 'scss'])('applies conditional comments in imported styles: %s', async (kind) => {
  const { styles } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'App.vue': `<style lang="${kind}">@import './common/all.${kind}';</style>`,
    [`common/all.${kind}`]:
      '/* #ifdef H5 */\n.web { color: red }\n/* #endif */\n/* #ifdef APP */\n.app { color: red }\n/* #endif */',
  })
  expect(styles.match(/\.(?:web|app)\b/g)).toEqual(['.web'])
})

test('applies line comments in files imported by SCSS and resolves their URLs from their own folder', async () => {
  const { styles, paths } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'App.vue': `<style lang="scss">@use '@/common/theme'; @import './common/base'; .own { color: theme.$color }</style>`,
    'common/theme/_index.scss':
      "// #ifdef H5\n$color: rgb(1, 2, 3);\n// #endif\n// #ifndef H5\n$color: rgb(4, 5, 6);\n// #endif\n@forward '../more/icons';",
    'common/base.scss': "@import 'more/sub';",
    'common/more/_sub.scss': "/* #ifdef APP */\n.app { color: red }\n/* #endif */\n@use './icons';",
    'common/more/_icons.scss':
      '.icon {\n  // #ifdef H5\n  background: url(./dot.png);\n  // #endif\n  // #ifndef H5\n  background: none;\n  // #endif\n}\n.copy { background: url("./copy (1).png") }',
    'common/more/copy (1).png': Buffer.concat([pixel, Buffer.alloc(6_000)]),
    'common/more/dot.png': Buffer.concat([pixel, Buffer.alloc(5_000)]),
  })
  expect(styles).toContain('.own{color:#010203}')
  expect(styles).not.toContain('.app')
  expect(styles).toMatch(/\.icon\{background:url\((?:\.\/)?dot-[\w-]+\.png\)\}/)
  expect(paths.filter((path) => /^assets\/dot-.*\.png$/.test(path))).toHaveLength(1)
  expect(styles).toMatch(/\.copy\{background:url\("?(?:\.\/)?copy[^"]*-[\w-]{8}\.png"?\)\}/)
})

test('SCSS has the variables of uni.scss, in spite of @use in comments', async () => {
  const { styles } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'uni.scss': '$color: rgb(1, 2, 3);',
    'sizes.scss': '$size: 7px;',
    'pages/a/a.vue': `<template><view class="own">a</view></template>
<style lang="scss">
/*
@use "old";
*/
@use "../../sizes.scss" as *;
// @use "older";
.own { color: $color; order: $size }
/*
@use "oldest";
*/
</style>`,
  })
  expect(styles).toMatch(/\.own\[data-v-\w+\]\{color:#010203;order:7px\}/)
})

test.each([
  ["import there from './gone.js'", '2:19 Cannot find ./gone.js.'],
  ["import day from 'day-kit/plugin'", '2:17 The package day-kit is not installed. Add it with: npm install day-kit'],
  ["import 'day-kit'", '2:8 The package day-kit is not installed. Add it with: npm install day-kit'],
  ["import('day-kit')", '2:8 The package day-kit is not installed. Add it with: npm install day-kit'],
  ["import day from 'day-kit/old/day.js'", '2:17 The installed package day-kit has no day-kit/old/day.js.', 'day-kit'],
])('fails on an unresolved import and reports its location: %s', async (line, fault, installed?: string) => {
  const project = await projectOf({
    ...pagesOf(['pages/a/a']),
    ...(installed && { [`node_modules/${installed}/package.json`]: { name: installed } }),
    'pages/a/a.vue': `<script setup>\n${line}\n</script>\n<template><view>{{ there ?? day }}</view></template>`,
  })
  await expect(release({ platform: 'H5', project })).rejects.toThrow(`pages/a/a.vue:${fault}`)
  expect(existsSync(join(project, 'dist/h5/index.html'))).toBe(false)
})

test('lets require of a missing module throw when it is called', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'kit.js': "exports.there = 'the kit is there'",
    'pages/a/a.vue': `<script setup>
const { there } = require('@/kit')
const open = (name) => [require('@/gone').default, require('./gone.js'), require('gone-kit')]
</script>
<template><view @tap="open">{{ there }}</view></template>`,
  })
  const warnings = warn.mock.calls.join('\n')
  expect(scripts).toContain('the kit is there')
  for (const [place, name] of [
    ['3:36', 'gone'],
    ['3:61', './gone.js'],
    ['3:83', 'gone-kit'],
  ]) {
    expect(warnings).toContain(`pages/a/a.vue:${place} Cannot find ${name}. This call of require throws.`)
    expect(scripts).toContain(`Cannot find module '${name}'`)
  }
})

test('leaves out an import of a package that is not installed if no imported name is used', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a', 'pages/b/b', 'pages/c/c']),
    'tsconfig.json': { compilerOptions: { verbatimModuleSyntax: true } },
    'pages/a/a.vue': `<script setup>
import { color, ref } from 'chart-kit'
const style = { color: 'red' }
const paint = (color) => color + style.color
</script>
<template><view :style="style">{{ paint('text') }}</view></template>`,
    'pages/b/b.vue': "<script setup>\nimport '../../common/day.ts'\n</script>\n<template><view>b</view></template>",
    'common/day.ts': "import day, { type Point } from 'day-kit'\nexport const origin: Point = { x: 0, y: 0 }\n",
    'pages/c/c.vue':
      "<script>\nimport * as all from '@kit/all/one'\nexport default {}\n</script>\n<template><view>c</view></template>",
  })
  const warnings = warn.mock.calls.join('\n')
  const advice = 'is not installed, but nothing imported from it is used. Add it with: npm install'
  expect(warnings).toContain(`pages/a/a.vue:2:28 The package chart-kit ${advice} chart-kit`)
  expect(warnings).toContain(`common/day.ts:1:33 The package day-kit ${advice} day-kit`)
  expect(warnings).toContain(`pages/c/c.vue:2:22 The package @kit/all ${advice} @kit/all`)
  expect(scripts).not.toMatch(/chart-kit|day-kit|@kit/)
})

test.each([
  ['H5', '<map />', [true, true]],
  ['App', '<map />', [false, true]],
  ['App', '<view />', [false, false]],
] as const)('on %s, %s is built with the tile server and with Leaflet: %s', async (platform, template, expected) => {
  vi.stubEnv('SOUK_MAP_TILES', 'https://tiles.example/{z}/{x}/{y}.png')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { scripts } = await buildRelease(
    { ...pagesOf(['pages/a/a']), 'pages/a/a.vue': `<template>${template}</template>` },
    { platform },
  )
  expect([scripts.includes('https://tiles.example/{z}'), scripts.includes('leaflet-container')]).toEqual(expected)
})

test.each(['', 'src/'])(
  'builds again with what only a build finds out, and says why: sources in "%s"',
  async (sources) => {
    const print = (['error', 'warn'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}))
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    const { scripts } = await buildRelease({
      [`${sources}pages.json`]: { pages: [{ path: 'pages/a/a' }] },
      [`${sources}pages/a/a.vue`]: `<script setup>
import MyCount from 'counting/my-count.vue'
// #ifdef MP-NONE
// #endif
const fixed = 1
const change = () => { fixed = 2 }
</script>
<template><view @tap="change">{{ fixed }}<MyCount /></view></template>`,
      'node_modules/counting/package.json': { name: 'counting' },
      'node_modules/counting/my-count.vue': `<script>export default { data: () => ({ count: 1 }) }</script>
<template><text>{{ count }}</text></template>`,
    })
    // A hook of the Options API.
    expect(scripts).toContain('beforeCreate')
    const [errors, warnings] = print.map((spy) => spy.mock.calls.join('\n'))
    expect(errors).toBe('')
    expect(warnings).toMatch(/\/counting\/my-count\.vue uses Vue's Options API: building again with it\./)
    expect(warnings).toContain('Building again with corrections of the mistakes below.')
    expect(warnings!.match(/no build named MP-NONE/g)).toHaveLength(1)
  },
)

test('warns about fonts from hosts that a live installation may block', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const project = await projectOf({
    ...pagesOf(['pages/a/a']),
    'icons.ttf': 'a font',
    'App.vue': `<style>
@font-face { font-family: kit; src: url('//at.fonts.example/a.woff2?t=1') format('woff2'), url("https://at.fonts.example/a.ttf") }
@font-face { font-family: more; src: url(https://fonts.example:8443/b.woff) }
@font-face { font-family: own; src: url('./icons.ttf') }
@font-face { font-family: inline; src: url(data:font/woff2;base64,AAAA) }
.a { background: url(https://images.example/a.png) }
</style>`,
  })
  await release({ platform: 'H5', project })
  expect(warn.mock.calls.join('\n')).not.toContain('fonts.example')
  await release({ project, platform: 'Mini App' })
  expect(warn.mock.calls.join('\n')).toMatch(/load fonts from at\.fonts\.example, fonts\.example:8443\. Live/)
})

test('warnings include their location, and file names may contain a percent sign', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue':
      '<script setup>\n// #ifdef H5\n</script>\n<template>\n  <image src="/static/gone.png" /><image src="/static/50%.png" />\n</template>',
    'static/50%.png': pixel,
  })
  const warnings = warn.mock.calls.join('\n')
  expect(warnings).toContain('pages/a/a.vue:2:1 This #ifdef is not closed')
  expect(warnings).toContain('pages/a/a.vue:5:10 The file static/gone.png does not exist.')
  expect(warnings).not.toContain('The file static/50%')
  expect(scripts).toContain('static/50%.png')
})

test('`page` in a style matches that page only, in App.vue every page; vh in a frame is relative to the page', async () => {
  const { project } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'App.vue': '<script>export default {}</script><style>page { color: #111 }</style>',
    'pages/a/a.vue':
      '<template><my-part class="a" /></template><style>page { color: #222 } .a { height: 50vh }</style>',
    'components/my-part/my-part.vue': '<template><view /></template><style>.part { color: #333 }</style>',
  })
  // A build for H5 in the same process, which limits the styles of pages, has no effect on that for App.
  const { folder, files } = await release({ project, platform: 'App' })
  const styles = await textOf(folder, files, '.css')
  expect(styles).toMatch(/neu-page\{color:#111\}/)
  expect(styles).toMatch(/neu-page\[data-page=[^\]]+\][^{]*\{color:#222\}/)
  expect(styles).toMatch(/\.a:where\(:not\(neu-page:not\(\[data-page=[^\]]+\]\) \*\)\)\{/)
  expect(styles).toContain('height:calc(50 * var(--vh,1vh))')
  // Styles of components are limited to them.
  expect(styles).toMatch(/\.part\[data-v-\w+\]\{color:#333\}/)
})

test.each([
  ['H5', 'red'],
  ['App', '#00f'],
] as const)('SCSS supports conditional comments, rpx and tags: %s', async (platform, color) => {
  const { styles } = await buildRelease(
    {
      ...pagesOf(['pages/a/a']),
      'pages/a/a.vue': `<template><view class="a"><button>a</button></view></template>
<style lang="scss" scoped>
@use './sizes' as *;
.a {
  padding: $gap * 2;
  // #ifdef H5
  color: red;
  // #endif
  /* #ifndef H5 */
  color: blue;
  /* #endif */
  > button { width: calc(100% - #{$gap}) }
}
</style>`,
      'pages/a/_sizes.scss': '$gap: 20rpx;',
    },
    { platform },
  )
  expect(styles).toMatch(
    new RegExp(`\\.a\\[data-v-\\w+\\]\\{padding:calc\\(40 \\* var\\(--rpx\\)\\);color:${color}\\}`),
  )
  expect(styles).toMatch(/\.a>neu-button\[data-v-\w+\]\{width:calc\(100% - calc\(20 \* var\(--rpx\)\)\)\}/)
})

test('finds side windows with and without extension', async () => {
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages.json': {
      pages: [{ path: 'pages/a/a' }],
      leftWindow: { path: 'windows/left.vue', style: { width: '200px' } },
      topWindow: { path: '/windows/top', style: { height: '60px' } },
    },
    'windows/left.vue': '<template><view>the left window</view></template>',
    'windows/top.vue': '<template><view>the top window</view></template>',
  })
  expect(scripts).toContain('the left window')
  expect(scripts).toContain('the top window')
})

test.each([
  ['H5', ['h5', 'web']],
  ['App', ['app', 'app-ios', 'app-plus']],
  ['Mini App', ['mp-neu']],
] as const)('copies static folders of platforms for theirs only: %s', async (platform, kept) => {
  const folders = ['h5', 'web', 'app', 'app-plus', 'app-ios', 'mp-neu', 'mp-weixin', 'quickapp-webview']
  // Not names of platforms.
  const others = ['mp', 'apps', 'icons/app-plus']
  const { paths } = await buildRelease(
    {
      ...pagesOf(['pages/a/a', 'pages/b/b'], {
        tabBar: {
          color: '#000000',
          selectedColor: '#000000',
          backgroundColor: '#ffffff',
          list: ['a', 'b'].map((name) => ({
            pagePath: `pages/${name}/${name}`,
            text: name,
            iconPath: 'static/mp-weixin/named.png',
          })),
        },
      }),
      ...Object.fromEntries([...folders, ...others].map((name) => [`static/${name}/a.png`, pixel])),
      'static/mp-weixin/named.png': pixel,
      'uni_modules/kit/static/app-plus/kit.png': pixel,
    },
    { platform },
  )
  expect(paths.filter((path) => /\bstatic\//.test(path))).toEqual(
    [
      ...[...kept, ...others].map((name) => `static/${name}/a.png`),
      'static/mp-weixin/named.png',
      ...(platform === 'App' ? ['uni_modules/kit/static/app-plus/kit.png'] : []),
    ].sort(),
  )
})

test('copies local pages of web-views as they are', async () => {
  const html = '<!doctype html><script src="js/a.js"></script>'
  const { paths, read } = await buildRelease(
    {
      ...pagesOf(['pages/a/a']),
      'hybrid/html/page.html': html,
      'hybrid/html/js/a.js': '// #ifdef H5\nimport "a"\n// #endif',
      'hybrid/readme.md': 'not a page',
      'uni_modules/kit/hybrid/html/kit.html': html,
    },
    { platform: 'App' },
  )
  expect(paths.filter((path) => path.includes('hybrid/'))).toEqual([
    'hybrid/html/js/a.js',
    'hybrid/html/page.html',
    'uni_modules/kit/hybrid/html/kit.html',
  ])
  expect(await read('hybrid/html/page.html')).toBe(html)
})

test('copies static folders and other files that pages.json refers to', async () => {
  const list = [
    { pagePath: 'pages/a/a', text: 'A', iconPath: 'static/a.png' },
    { pagePath: 'pages/b/b', text: 'B', iconPath: '/images/b.png' },
  ]
  const { paths, styles, read } = await buildRelease({
    ...pagesOf(['pages/a/a', 'pages/b/b', 'shop/c']),
    'pages.json': {
      pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }],
      subPackages: [{ root: 'shop', pages: [{ path: 'c' }] }],
      tabBar: { color: '#000000', selectedColor: '#000000', backgroundColor: '#ffffff', list },
    },
    'static/a.png': pixel,
    'static/deep/b.png': pixel,
    'shop/static/c.png': pixel,
    'images/b.png': pixel,
    'images/unused.png': pixel,
    'pages/a/a.vue': '<template><view /></template><style>view { background: url(/static/a.png) }</style>',
  })
  for (const path of ['static/a.png', 'static/deep/b.png', 'shop/static/c.png', 'images/b.png'])
    expect(paths).toContain(path)
  expect(paths).not.toContain('images/unused.png')
  expect(styles).toMatch(/url\((?:data:image\/png|\.\/|\.\.\/)/)
  expect(JSON.parse(await read('souk-app.json')).app.tabBar.list[1].iconPath).toBe('images/b.png')
})

test('supports main.js as in uni-app projects', async () => {
  const main = `import App from './App'
import { createSSRApp } from 'vue'
import plugin from './plugin.js'
export function createApp() {
  const app = createSSRApp(App)
  app.use(plugin)
  return { app }
}
`
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'main.js': main,
    'plugin.js': `export default { install: () => console.log('installed plug-in') }`,
    'App.vue': `<script>export default { onLaunch() { console.log('launched app') } }</script><style>view { color: red }</style>`,
  })
  expect(scripts).toContain('installed plug-in')
  expect(scripts).toContain('launched app')
})

test('uses the project’s index.html, without its script for main.js', async () => {
  const { html } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'index.html': `<!DOCTYPE html><html lang="ar" dir="rtl"><head><title>Mine</title><!--preload-links--></head>
<body><div id="app"><!--app-html--></div><script type="module" src="/src/main.js"></script></body></html>`,
  })
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html).toContain('<title>Mine</title>')
  expect(html).toContain('--rpx:')
  expect(html).not.toContain('main.js')
  expect(html.match(/<script/g)).toHaveLength(1)
})

test('leaves links of index.html to missing files as they are', async () => {
  const links = ['./static/gone.css', '/static/gone.css', 'https://cdn.example/a.css', './static/there.css']
  const { html } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'static/there.css': 'p { color: red }',
    'index.html': `<!DOCTYPE html><html><head>${links.map((href) => `<link rel="stylesheet" href="${href}">`).join('')}
<title></title></head><body><div id="app"></div></body></html>`,
  })
  expect(html.match(/(?<=href=")[^"]+(?=">)/g)).toEqual([...links.slice(0, 3), expect.stringMatching(/^\.\/assets\//)])
  expect(html).not.toContain('vite-ignore')
})

test('resolves usingComponents and easycom rules in the project and in packages', async () => {
  const { scripts } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages.json': {
      easycom: { custom: { '^kit-(.*)': 'kit/parts/$1.vue' } },
      pages: [{ path: 'pages/a/a', style: { usingComponents: { 'my-card': '/cards/card' } } }],
    },
    'pages/a/a.vue': '<template><view><my-card /><kit-list /></view></template>',
    'cards/card.vue': '<template><text>a card</text></template>',
    'node_modules/kit/package.json': { name: 'kit', version: '1.0.0' },
    'node_modules/kit/parts/list.vue': '<template><view>a list of the kit</view></template>',
  })
  expect(scripts).toContain('a card')
  expect(scripts).toContain('a list of the kit')
})

test('releases contain no code of unused features', async () => {
  const list = ['a', 'b'].map((name) => ({ pagePath: `pages/${name}/${name}`, text: name }))
  const tabBar = { color: '#000000', selectedColor: '#000000', backgroundColor: '#ffffff', list }
  const without = await buildRelease(pagesOf(['pages/a/a', 'pages/b/b']))
  const withTabs = await buildRelease(pagesOf(['pages/a/a', 'pages/b/b'], { tabBar }))
  expect(withTabs.scripts).toContain('neu-tabbar-item')
  expect(without.scripts).not.toContain('neu-tabbar-item')
  const buttons = { titleNView: { buttons: [{ type: 'share' }] } }
  const withBar = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'pages.json': { pages: [{ path: 'pages/a/a', style: { 'app-plus': buttons } }] },
  })
  expect(withBar.entry).toContain('neu-navbar-home')
  expect(without.entry).not.toContain('neu-navbar-home')
  expect(without.entry).not.toMatch(/__SOUK_\w+__/)
})

test('fails on errors of pages.json with their location, but not on those that run or concern other platforms', async () => {
  await buildRelease(pagesOf(['pages/a/a'], { globalStyle: { enablePullDownRefresh: 'yes' } }))
  const list = ['a', 'b'].map((name) => ({ pagePath: `pages/${name}/${name}`, text: name }))
  const wrong = pagesOf(['pages/a/a'], {
    tabBar: { color: '#000000', selectedColor: '#000000', backgroundColor: '#ffffff', list },
  })
  const failed = buildRelease(wrong)
  await expect(failed).rejects.toBeInstanceOf(PagesError)
  await expect(failed).rejects.toThrow(/error\[tab-page-unknown\][\s\S]*pages\.json:\d+:\d+/)
  const text = `{ "pages": [{ "path": "pages/a/a" }
    // #ifdef APP
    , { "path": "pages/gone/gone" }
    // #endif
  ] }`
  await buildRelease({ ...pagesOf(['pages/a/a']), 'pages.json': text })
  await expect(buildRelease({ ...pagesOf(['pages/a/a']), 'pages.json': text }, { platform: 'App' })).rejects.toThrow(
    'pages/gone/gone',
  )
})

test('reports the file of a syntax error in a page', async () => {
  const failed = buildRelease({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': '<template><view></template>' })
  await expect(failed).rejects.toThrow(/pages\/a\/a\.vue:1:11[\s\S]*Element is missing end tag/)
})

test('does not empty a folder that contains other files', async () => {
  const files = pagesOf(['pages/a/a'])
  const project = await projectOf({ ...files, 'work/thesis.txt': 'the only copy' })
  const out = join(project, 'work')
  await expect(release({ platform: 'H5', project, out })).rejects.toBeInstanceOf(FolderError)
  await expect(release({ platform: 'H5', project, out: join(out, 'thesis.txt') })).rejects.toThrow(
    /thesis\.txt is a file/,
  )
  expect(existsSync(join(out, 'thesis.txt'))).toBe(true)
  await writeFiles(project, { 'new-source-maps': 'notes' })
  await expect(release({ platform: 'H5', project, out: join(project, 'new') })).rejects.toThrow(
    /new-source-maps is a file/,
  )
})

test('refuses an output folder that cannot be written before the build', async () => {
  const project = await projectOf({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': '<template><view></template>' })
  vi.spyOn(fs, 'accessSync').mockImplementation((path) => {
    if (String(path).endsWith(basename(project))) throw new Error('EACCES')
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  await expect(release({ platform: 'H5', project })).rejects.toThrow(`${join(project, 'dist/h5')} cannot be written`)
})

test.each([undefined, 'release'])(
  'does not empty the output folder of earlier releases if it contains other files: --out %s',
  async (name) => {
    const project = await projectOf(pagesOf(['pages/a/a']))
    const out = name === undefined ? {} : { out: join(project, name) }
    const folder = join(project, name ?? 'dist/h5')
    await writeFiles(folder, { 'thesis.txt': 'the only copy' })
    await expect(release({ platform: 'H5', project, ...out })).rejects.toThrow(`${folder} is not empty`)
    await rename(join(folder, 'thesis.txt'), join(folder, '.git'))
    await release({ platform: 'H5', project, ...out })
    await writeFiles(folder, { 'assets/old.js': '' })
    expect((await release({ platform: 'H5', project, ...out })).files.map(({ path }) => path)).not.toContain(
      'assets/old.js',
    )
  },
)

test('lists the scripts of the first page that are loaded from another server', async () => {
  const base = 'https://cdn.example/shop/'
  const { firstLoad, paths, html } = await buildRelease({
    ...pagesOf(['pages/a/a']),
    'vite.config.mjs': `export default { base: '${base}' }`,
  })
  expect(html).toContain(`src="${base}${firstLoad[0]}"`)
  expect(paths).toEqual(expect.arrayContaining([...firstLoad]))
})

test('a vite.config that cannot be loaded does not decide the platform of later builds', async () => {
  const failed = buildRelease({ ...pagesOf(['a']), 'vite.config.mjs': 'throw new Error("mine")' }, { platform: 'App' })
  await expect(failed).rejects.toThrow('mine')
  expect(process.env.SOUK_PLATFORM).toBeUndefined()
})

test.each([
  ['vite.config.mjs', 'const a = 1\nexport default { plugins: [ }', /^\/.*vite\.config\.mjs:2:29 Unexpected token/],
  ['package.json', '{ "version": }', /^\/.*package\.json is not valid JSON: /],
])('names %s if it has a syntax error', async (name, content, message) => {
  const failed = buildRelease({ ...pagesOf(['a']), [name]: content })
  await expect(failed).rejects.toBeInstanceOf(ConfigError)
  await expect(failed).rejects.toThrow(message)
})

test.each([
  ['vite.config.mjs', "import 'day-kit'", {}],
  [
    'node_modules/other-kit/index.js',
    "import 'other-kit'",
    { 'node_modules/other-kit/index.js': "import 'day-kit/a'" },
  ],
  [
    'uno.config.cjs',
    'export default { plugins: [{ name: "uno", configResolved: () => import("./uno.config.cjs") }] }',
    {},
  ],
])('names the file that imports a package which is not installed: %s', async (file, config, more) => {
  const failed = buildRelease({
    ...pagesOf(['a']),
    'node_modules/other-kit/package.json': '{ "name": "other-kit", "type": "module", "exports": "./index.js" }',
    'uno.config.cjs': "require('day-kit')",
    'vite.config.mjs': config,
    ...more,
  })
  await expect(failed).rejects.toBeInstanceOf(ConfigError)
  await expect(failed).rejects.toThrow(
    `${file} imports day-kit, which is not installed. Add it with: npm install day-kit`,
  )
})

test('merges the project’s vite.config, which may contain the plug-ins', async () => {
  // A dynamic import: Vite's config bundler cannot resolve packages that run from source.
  const plugin = JSON.stringify(join(import.meta.dirname, '../src/index.ts'))
  const own = `const from = ${plugin}
    const { souk } = await import(from)
    export default { plugins: [souk()], define: { __MINE__: '"mine"' } }`
  const { scripts, folder, project } = await buildRelease(
    {
      ...pagesOf(['pages/a/a']),
      'vite.config.mjs': own,
      'pages/a/a.vue': '<script setup>console.log(__MINE__)</script><template><view /></template>',
    },
    { platform: 'App' },
  )
  expect(scripts).toContain('mine')
  expect(folder).toBe(join(project, 'dist/app'))
})

test('names guarded blocks that the platform drops without another branch, and no others', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const files = {
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<template>
<!-- #ifdef APP-PLUS -->
<view>For App</view>
<!-- #endif -->
<view />
</template>
<script setup>
import './login'
import '@/uni_modules/kit/index.js'
// #ifdef H5
a()
// #endif
// #ifndef H5
b()
// #endif
</script>
<style>
/* #ifdef MP-WEIXIN */ view { color: red } /* #endif */
</style>`,
    'pages/a/login.js': '// #ifdef APP-PLUS || H5\nneu.login()\n// #endif',
    'uni_modules/kit/index.js': '// #ifdef APP-PLUS\nneu.login()\n// #endif',
  }
  const told = async (platform: 'App' | 'Mini App') => {
    warned.mockClear()
    await buildRelease(files, { platform })
    return warned.mock.calls.flat().join('\n')
  }
  expect(
    await told('Mini App'),
  ).toContain(`2 guarded blocks are not in this build for Mini App, without a branch for it:
  pages/a/a.vue:2 #ifdef APP-PLUS: kept by App only
  pages/a/login.js:1 #ifdef APP-PLUS || H5: kept by H5 and App only`)
  expect(await told('App')).not.toContain('guarded')
  warned.mockRestore()
})
