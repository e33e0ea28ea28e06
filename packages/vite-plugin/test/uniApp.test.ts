import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { release, serve, VueVersionError } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { pagesOf, projectOf, textOf } from './project.ts'

const browser = withBrowser()

/** A project as uni-app's tools create it, with sources in `src`. */
const project = {
  'package.json': { name: 'shop', private: true, type: 'commonjs' },
  // Plug-ins import their settings by Node.
  'uno.config.ts': "import { join } from 'node:path'\nexport default { shortcut: join('of', 'uno') as string }",
  'node_modules/settings/package.json': { name: 'settings', version: '1.0.0', main: 'index.js' },
  'node_modules/settings/index.js': 'exports.read = (file) => import(file)',
  'late.js': 'export default 1',
  'brand.scss': '$brand: #ff0001;',
  'vite.config.js': `import { defineConfig } from 'vite'
import { pathToFileURL } from 'node:url'
import { read } from 'settings'
import uni from '@dcloudio/vite-plugin-uni'
const { UNI_PLATFORM, UNI_INPUT_DIR, VITE_ROOT_DIR } = process.env
const seen = {}
const look = {
  name: 'look',
  async configResolved({ root, plugins }) {
    const { default: settings } = await read(pathToFileURL(root + '/uno.config.ts').href)
    await import('./late.js')
    const css = plugins.find(({ name }) => name === 'vite:css')
    Object.assign(seen, { root, css, cwd: process.cwd(), ...settings })
  },
  // As UnoCSS does.
  async renderChunk(code, { fileName, isEntry }) {
    if (!isEntry) return
    const { code: source } = await seen.css.transform.call(this, 'page .made{padding:16rpx}', seen.root + '/' + fileName + '-hash.css')
    this.emitFile({ type: 'asset', fileName: 'assets/made.css', source })
  },
  transform: (code, id) => (id.endsWith('seen.js') ? code.replace('SEEN', JSON.stringify(\`root:\${seen.root},cwd:\${seen.cwd},\${seen.shortcut}\`)) : undefined),
}
export default defineConfig({
  plugins: [uni(), look],
  define: { VARIABLES: JSON.stringify([UNI_PLATFORM, UNI_INPUT_DIR, VITE_ROOT_DIR, __dirname].join()) },
  css: { preprocessorOptions: { scss: { additionalData: '$added: #00ff01;' } } },
})
`,
  'node_modules/sass/package.json': { name: 'sass', version: '1.63.2', main: 'index.js' },
  'node_modules/sass/index.js': '',
  'node_modules/vue/package.json': { name: 'vue', version: '3.2.47', main: 'index.js' },
  'node_modules/vue/index.js': 'export const old = true',
  'postcss.config.js': `module.exports = { parser: require('postcss-comment'), plugins: [require('@dcloudio/missing')] }`,
  'index.html': `<!doctype html><html><head><script defer src="/static/early.js?v=1"></script></head>
<body><div id="app"></div><script type="module" src="/src/main.ts"></script></body></html>`,
  'src/static/early.js': 'window.early = true',
  'src/uni.scss': '@import "~@/theme.scss";',
  'src/theme.scss': '@import "./brand.scss"; /* #ifdef APP */ $brand: #000; /* #endif */',
  'src/pages.json': `{
  // The pages of the shop.
  "pages": [{ "path": "pages/a/a" "style": {}, },]
}`,
  'src/latin.json': Buffer.from('{ "word": "p\xe1gina" }', 'latin1'),
  'src/seen.js': 'export default SEEN',
  'src/static/logo.png': 'a picture',
  'src/static/logo@2x.png': 'a larger picture',
  'src/images/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'src/part.scss': '.part { /deep/ .inner { color: $brand; &__end { color: $brand } } }',
  'src/pages/a/a.vue': `<template>
  <!-- not a root -->
  <view>
    <text id="lines">one\\ntwo{{ '\\\\nthree' }}</text>
    <text id="wxs" :class="tool.nameOf('a')" @click="tool.tap" :change:size="tool.resize" :size="size">{{ size }}</text>
    <text id="renderjs" @click="chart.tap">{{ drawn }}</text>
    <my-size :size="7" />
    <image src="~@/images/mark.svg" />
    <text id="variables">{{ platform }}</text>
  </view>
  <view>Second root</view>
</template>
<wxs module="tool" src="./tool.wxs" />
<script module="chart" lang="renderjs">
import { word } from './word.js'
export default {
  mounted() { this.drawn = word },
  methods: { tap(event, owner) { owner.callMethod('grow', 5) } },
}
</script>
<script>
import pages from '@/pages.json'
import { word } from '/pages/a/word.js'
import seen from '@/seen.js'
const eager = Object.values(import.meta.globEager('../../latin.json', ))
import latin from '@/latin.json'
import { onShareAppMessage } from '@dcloudio/uni-app'
import { initVueI18n } from '@dcloudio/uni-i18n'
import { nameOf } from '@/uni_modules/uts-web'
import { install } from '../../uni_modules/uts-native'
const { t } = initVueI18n({ en: { hello: 'Hello {name}' } }, 'en')
console.log([VARIABLES, seen, pages.pages[0].path + '-imported', latin.word, t('hello', { name: word }), onShareAppMessage, nameOf(), typeof install, 'eager:' + eager[0].default.word].join('|'))
export default ({
  data: () => ({ size: 1, drawn: '', platform: process.env.UNI_PLATFORM }),
  methods: { grow(count) { this.$set(this, 'size', this.size + count) } },
})
</script>
<route lang="json">{ "name": "first" }</route>
<style lang="scss" scoped>
@use "sass:math";
@import "../../part.scss";
.a { color: $brand; background: $added; width: math.div(10px, 2) }
.b >>> .c { color: $brand }
.d { background: url("/images/mark.svg") }
</style>
`,
  'src/components/my-size/my-size.vue': `<script setup lang="ts">
import type { Props } from './props'
defineProps<Props>()
</script>
<template><text>{{ size }}</text></template>`,
  'src/components/my-size/props.ts': 'export interface Props { size: number }',
  'src/pages/a/word.js': `export const word = 'drawn by renderjs'`,
  'src/uni_modules/uts-web/utssdk/interface.uts': 'export type Named = { name : string }',
  'src/uni_modules/uts-web/utssdk/web/index.uts': `import { Named } from '../interface.uts'
const named : Named = { name: 'uts' }
// #ifdef APP-ANDROID
named.name = 'native'
// #endif
export const nameOf = () : string => named.name + '-for-web'`,
  'src/uni_modules/uts-native/utssdk/app-android/index.uts': 'export const install = () => {}',
  'src/pages/a/tool.wxs': `var prefix = require('./prefix.wxs')
module.exports = {
  nameOf: function (name) { return prefix.text + name },
  tap: function (event, owner) {
    event.instance.addClass('tapped')
    if (owner.selectComponent('#lines')) owner.callMethod('grow', 2)
  },
  resize: function (size, before, owner, instance) { instance.setStyle({ marginTop: size + 'px' }) },
}`,
  'src/pages/a/prefix.wxs': `module.exports = { text: 'name-' }`,
}

test('builds a project of uni-app without edits', async () => {
  const folder = await projectOf(project)
  const built = await release({ platform: 'H5', project: folder })
  const scripts = await textOf(built.folder, built.files, '.js')
  const styles = await textOf(built.folder, built.files, '.css')
  const includes = (text: string) => [text, scripts.includes(text)]
  expect(includes(['h5', join(folder, 'src'), folder, folder].join())).toContain(true)
  expect(includes(`root:${folder},cwd:${folder},of/uno`)).toContain(true)
  expect(includes('-imported')).toContain(true)
  expect(includes('not a root')).toContain(false)
  expect(includes('globEager')).toContain(false)
  expect(includes('p\uFFFDgina')).toContain(true)
  expect(styles).toMatch(/\.a\[data-v-\w+\]\{color:#ff0001;background:#00ff01;width:5px\}/)
  expect(styles).toMatch(/\.part\[data-v-\w+\] \.inner(?:,\.part\[data-v-\w+\] \.inner__end)?\{color:#ff0001\}/)
  expect(styles).toMatch(/\.part\[data-v-\w+\] \.inner__end\{color:#ff0001\}/)
  expect(styles).toMatch(/\.b\[data-v-\w+\] \.c\{/)
  expect(styles).toMatch(/\.d\[data-v-\w+\]\{background:url\((?:data:image\/svg|\.\/)/)
  expect(styles).toContain('neu-page .made{padding:calc(16 * var(--rpx))}')
  const paths = built.files.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['index.html', 'static/logo.png', 'static/early.js']))
  // Relative, because a release may be in any folder of a server.
  expect(await textOf(built.folder, built.files, '.html')).toMatch(/<script\s+defer src="\.\/static\/early\.js\?v=1">/)
})

/** Serves a project until the test ends. */
async function serveProject(project: string): Promise<{ page: Page; url: string }> {
  const { urls, close } = await serve({ platform: 'H5', project })
  const page = await browser().newPage()
  onTestFinished(async () => {
    await page.close()
    await close()
  })
  return { page, url: urls[0]! }
}

test('runs WXS and renderjs in the page', async () => {
  const { page, url } = await serveProject(await projectOf(project))
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  const logged = page.waitForEvent('console', (message) => message.text().includes('-imported'))
  await page.goto(url)
  expect((await logged).text()).toMatch(/\|uts-for-web\|undefined\|eager:p.gina$/)
  await expect.poll(() => page.locator('#renderjs').textContent()).toBe('drawn by renderjs')
  expect(await page.locator('#lines').innerText()).toBe('one\ntwo\nthree')
  expect(await page.locator('#variables').textContent()).toBe('h5')
  const wxs = page.locator('#wxs')
  expect(await wxs.getAttribute('class')).toContain('name-a')
  await expect.poll(() => wxs.getAttribute('style')).toContain('margin-top: 1px')
  await wxs.click()
  await expect.poll(() => wxs.getAttribute('style')).toContain('margin-top: 3px')
  expect(await wxs.getAttribute('class')).toContain('tapped')
  await page.locator('#renderjs').click()
  await expect.poll(() => wxs.textContent()).toBe('8')
  expect(await page.evaluate(() => (window as Window & { early?: boolean }).early)).toBe(true)
  const statusOf = async (path: string) => (await page.request.get(new URL(path, url).href)).status()
  expect(await statusOf('static/logo.png')).toBe(200)
  // As in a release.
  expect(await statusOf('static/logo%402x.png?v=%40')).toBe(200)
  expect(faults).toEqual([])
})

test.each([
  ['{}', 'object'],
  // Without a manifest.json ECharts draws with a document.
  [undefined, 'function'],
])('charts find the mini app: manifest.json is %s', async (manifest, type) => {
  const { page, url } = await serveProject(
    await projectOf({
      'pages.json': { pages: [{ path: 'a' }] },
      ...(manifest !== undefined && { 'manifest.json': manifest }),
      'a.vue': `<script setup>
const shown = [typeof wx, typeof wx.getSystemInfoSync, wx.getSystemInfoSync().uniPlatform === uni.getSystemInfoSync().uniPlatform].join()
</script>
<template><text id="shown">{{ shown }} {{ typeof $root.wx }}</text></template>`,
    }),
  )
  await page.goto(url)
  await expect.poll(() => page.locator('#shown').textContent()).toBe(`${type},function,true ${type}`)
})

test('gives pages what libraries and styles of the ecosystem expect', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'App.vue': `<template>\n<view id="root">Left out</view>\n</template>\n<script>export default { onLaunch() { this.globalData.user = 'Ada' } }</script>
<style>.of-app { color: rgb(0, 0, 1) } uni-page-head { opacity: 0.5 }</style>`,
      'components/my-part/my-part.vue': `<template>
  <view class="part"><text class="of-app" id="of-app">App</text><text class="of-page" id="of-page">Part</text><slot /></view>
</template>
<style>.of-part { color: rgb(0, 0, 3) }</style>`,
      'pages/a/a.vue': `<script>
export default {
  data: () => ({
    ...getApp().globalData, image: '/missing.png', first: '', cloud: '', hasBar: false,
    heights: [uni.getSystemInfoSync().windowHeight],
  }),
  onReady() { this.heights.push(uni.getWindowInfo().windowHeight) },
  mixins: [uniCloud.mixinDatacom || {}],
  onLoad() { this.first = this.$route.fullPath },
  mounted() {
    this.hasBar = document.getElementsByTagName('uni-page-head').length > 0
    uniCloud.callFunction({ name: 'a', fail: () => { this.cloud += 'failed' } }).catch(() => {})
    uniCloud.database().collection('a').get().catch(({ message }) => { this.cloud += ', ' + message })
  },
  created() { getApp().$vm.$.appContext.config.globalProperties.greeting = 'Hello' },
}
</script>
<template>
  <text id="heights">{{ heights.join() }}</text>
  <text id="user">{{ greeting }} {{ user }}</text>
  <text id="cloud">{{ cloud }} {{ mixinDatacomResData.length + collection }} {{ hasBar }}</text>
  <text id="route">{{ [first, ...$route.matched.map(({ path }) => path), $route.meta.isEntry, $route.query.id] }}</text>
  <image id="image" :src="image" mode="widthFix" />
  <my-part><text class="of-page of-part" id="slotted">Slot</text></my-part>
  <rich-text nodes="<b class='of-page'>rich</b>" />
  <picker-view mask-class="of-page" indicator-class="of-page" />
  <input id="field" placeholder="1" placeholder-style="color: red" style="padding: 0 10px" /><checkbox-group><checkbox id="box" value="a" checked /></checkbox-group>
  <scroll-view scroll-y><view id="skeleton" style="position: absolute; top: 0">Skeleton</view></scroll-view>
</template>
<style>
page { text-indent: 1px }
body { word-spacing: 2px }
.of-page { color: rgb(0, 0, 2) }
.part :deep(#of-app) { opacity: 0.5 }
uni-page-body { letter-spacing: 3px }
#box /deep/ .uni-checkbox-input.uni-checkbox-input-checked { opacity: 0.75 }
</style>`,
    }),
  )
  await page.goto(`${url}#/pages/a/a?id=7`)
  await expect.poll(() => page.locator('#user').textContent()).toBe('Hello Ada')
  expect(await page.locator('#root').count()).toBe(0)
  await expect.poll(() => page.locator('#cloud').textContent()).toBe('failed, uniCloud is not available 0 true')
  const route = JSON.parse((await page.locator('#route').textContent())!)
  expect(route).toEqual(['/pages/a/a?id=7', '/pages/a/a', true, '7'])
  // Without the bar, also before the page is drawn.
  const { height } = page.viewportSize()!
  await expect.poll(() => page.locator('#heights').textContent()).toBe(`${height - 44},${height - 44}`)
  const image = page.locator('#image')
  await expect.poll(() => image.getAttribute('data-state')).toBe('failed')
  expect(await image.evaluate(({ clientHeight }) => clientHeight)).toBe(240)
  expect(await image.locator('img').isVisible()).toBe(false)

  // Styles of pages and components apply to their own elements, those of App.vue to all.
  const styleOf = (selector: string, property: string) =>
    page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  expect(await styleOf('#of-app', 'color')).toBe('rgb(0, 0, 1)')
  expect(await styleOf('#of-app', 'opacity')).toBe('0.5')
  expect(await styleOf('#of-page', 'color')).not.toBe('rgb(0, 0, 2)')
  for (const own of ['#slotted', 'neu-rich-text b', '.neu-picker-view-mask', '.neu-picker-view-indicator'])
    expect(await styleOf(own, 'color')).toBe('rgb(0, 0, 2)')
  expect(await page.locator('#skeleton').evaluate((element) => (element as HTMLElement).offsetParent?.localName)).toBe(
    'neu-scroll-view',
  )
  expect(await styleOf('#slotted', 'text-indent')).toBe('1px')
  expect(await styleOf('#slotted', 'word-spacing')).toBe('2px')
  // Selectors for the elements of uni-app's tags.
  expect(await styleOf('#slotted', 'letter-spacing')).toBe('3px')
  expect(await styleOf('.neu-navbar', 'opacity')).toBe('0.5')
  expect(await styleOf('#box input', 'opacity')).toBe('0.75')
  expect(await styleOf('#field .neu-input-placeholder', 'padding-left')).toBe('10px')
  expect(Number.parseFloat(await styleOf('#field', 'height'))).toBeCloseTo(22.4, 1)
})

test('the address of uni-app without a path is the first page, and project code can read it', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }] },
      'App.vue': '<script>\nglobalThis.seen = [location.hash]\nexport default {}\n</script>',
      'pages/a/a.vue': `<script setup>
import { ref } from 'vue'
import { onLoad } from '@dcloudio/uni-app'
const code = ref('')
onLoad((query) => { code.value = query.code })
</script>
<template><text id="code">{{ code || 'none' }}</text></template>`,
      'pages/b/b.vue': '<template><text id="second">Second</text></template>',
    }),
  )
  const hash = () => new URL(page.url()).hash
  await page.goto(url)
  await page.locator('#code').waitFor()
  expect(await page.evaluate('seen')).toEqual(['#/'])
  await page.evaluate(() => location.assign('#/pages/b/b'))
  await page.locator('#second').waitFor()
  await page.evaluate(() => location.assign('#/?code=2'))
  await expect.poll(() => page.locator('#code').last().textContent()).toBe('2')
  await expect.poll(hash).toBe('#/?code=2')
  await page.goto('about:blank')
  await page.goto(`${url}#/?code=3`)
  await expect.poll(() => page.locator('#code').textContent()).toBe('3')
  expect(await page.evaluate('seen')).toEqual(['#/?code=3'])
})

test('loses only the tag around an expression that throws, until its data is there', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { vueVersion: '3' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': `<script setup>
import { ref } from 'vue'
const shop = ref(null)
const show = () => { shop.value = { owner: { name: 'Layla' } } }
</script>
<template><view id="page">
  <view class="outer" style="padding: 5px">before <view class="owner">of {{ shop.owner.name }}</view> <text>{{ shop.owner.name }}</text> after</view>
  <view v-for="n in 2" :key="n"><view v-if="shop.owner.name === 'Layla'">open</view></view>
  <button @click="show">show</button>
</view></template>`,
    }),
  )
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(url)
  const text = () =>
    page
      .locator('#page')
      .innerText()
      .then((shown) => shown.replaceAll(/\s+/g, ' '))
  await expect.poll(text).toBe('before after show')
  // Each of the two tags and of the two items.
  expect(errors.filter((error) => error.includes("reading 'owner'"))).toHaveLength(4)
  await page.getByRole('button', { name: 'show' }).click()
  await expect.poll(text).toBe('before of Layla Layla after open open show')
})

test.each([
  ['body { background: rgb(1, 2, 3) }', 'rgb(1, 2, 3)'],
  ['html { background: rgb(4, 5, 6) }', 'rgb(4, 5, 6)'],
  ['body { background: linear-gradient(red, blue) }', 'rgba(0, 0, 0, 0)'],
  ['body { background: red } page { background: rgb(7, 8, 9) }', 'rgb(7, 8, 9)'],
  ['', 'rgb(255, 255, 255)'],
])('shows the background of the document behind a page that has none: %s', async (style, color) => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { vueVersion: '3' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'App.vue': `<script>export default {}</script><style>${style}</style>`,
      'pages/a/a.vue': '<template><view>A</view></template>',
    }),
  )
  await page.goto(url)
  await page.getByText('A', { exact: true }).waitFor()
  const shown = () => page.locator('neu-page-window').evaluate((it) => getComputedStyle(it, '::before').backgroundColor)
  await expect.poll(shown).toBe(color)
  // It does not cover elements with a negative z-index.
  await page.addStyleTag({ content: 'neu-view { position: fixed; z-index: -1; inset: 0; background: rgb(99, 0, 0) }' })
  const pixel = (await page.screenshot({ clip: { x: 9, y: 400, width: 1, height: 1 } })).toString('base64')
  const drawn = await page.evaluate(async (source) => {
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${source}` })
    await image.decode()
    const context = document.createElement('canvas').getContext('2d')!
    context.drawImage(image, 0, 0)
    return [...context.getImageData(0, 0, 1, 1).data]
  }, pixel)
  expect(drawn).toEqual(style.includes('page {') ? [7, 8, 9, 255] : [99, 0, 0, 255])
})

test('leaves the font of H5 pages to the browser, as uni-app does', async () => {
  const fontOf = async (files: object, platform: 'H5' | 'App') => {
    const project = await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': '<template><view /></template>',
      ...files,
    })
    const { folder, files: built } = await release({ project, platform })
    return /:where\(body\)\{font-family:([^}]*)\}/.exec(await textOf(folder, built, '.html'))?.[1]
  }
  expect(await fontOf({ 'manifest.json': { vueVersion: '3' } }, 'H5')).toBeUndefined()
  expect(await fontOf({ 'manifest.json': { vueVersion: '3' } }, 'App')).toBe('system-ui,sans-serif')
  expect(await fontOf({}, 'H5')).toBe('system-ui,sans-serif')
})

test.each([
  ['^3.0.0-3090620231104002', undefined, true],
  ['3.0.0-alpha-3081220230802001', undefined, true],
  ['^3.0.0-alpha-3081220230802001', '3.0.0-4020420240722002', false],
  ['3.0.0-4020420240722002', undefined, false],
  [undefined, undefined, false],
])('puts links around navigators as uni-app %s does, installed %s: %s', async (declared, version, isOutside) => {
  const { page, url } = await serveProject(
    await projectOf({
      'package.json': { dependencies: { ...(declared && { '@dcloudio/uni-h5': declared }) } },
      ...(version && { 'node_modules/@dcloudio/uni-h5/package.json': { version } }),
      'pages.json': { pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }] },
      'pages/a/a.vue': `<template><view class="row"><navigator class="item" url="/pages/b/b">go</navigator></view></template>
<style>.row { display: flex; height: 80px } .item { height: 50px; padding-left: 10px }</style>`,
      'pages/b/b.vue': '<template><view>the other page</view></template>',
    }),
  )
  await page.goto(url)
  const link = page.getByRole('link', { name: 'go' })
  const box = await page.locator('.item').boundingBox()
  expect(box).toMatchObject({ height: 50, x: 0 })
  expect((await link.boundingBox())?.height).toBe(isOutside ? 80 : 50)
  expect(await link.locator('.item').count()).toBe(isOutside ? 1 : 0)
  await link.click()
  await page.getByText('the other page').waitFor()
  expect(new URL(page.url()).hash).toBe('#/pages/b/b')
})

test('chart libraries replace methods of a canvas context, and define setters', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': {},
      'pages.json': { pages: [{ path: 'a' }] },
      'a.vue': `<script setup>
import { onMounted } from 'vue'
function chart(context, left) {
  const fillRect = context.fillRect.bind(context)
  context.fillRect = (x, ...rest) => fillRect(x + 50, ...rest)
  Object.defineProperty(context, 'fillStyle', { set: (color) => context.setFillStyle(color) })
  context.fillStyle = '#ff0000'
  context.fillRect(left, 0, 40, 40)
  context.draw(true)
}
onMounted(() => {
  chart(uni.createCanvasContext('chart'), 0)
  setTimeout(() => chart(uni.createCanvasContext('chart'), 50), 1000)
})
</script>
<template><canvas id="chart" canvas-id="chart" style="width: 200px; height: 100px" /></template>`,
    }),
  )
  await page.goto(url)
  const redAt = () =>
    page
      .locator('#chart > canvas')
      .evaluate((canvas: HTMLCanvasElement) =>
        [20, 70, 120, 170].map((x) => canvas.getContext('2d')!.getImageData(x, 20, 1, 1).data[0]),
      )
  await expect.poll(redAt, { timeout: 20_000 }).toEqual([0, 255, 255, 0])
})

test('lets scripts draw on a canvas as in uni-app, where it is inside an element', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { name: 'charts' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': `<script setup>
import { onReady } from '@dcloudio/uni-app'
onReady(() => {
  const wrapper = document.querySelectorAll('uni-page-wrapper')[0]
  const element = document.getElementById('chart')
  if (!wrapper || !element.children[0]) return
  const context = element.children[0].getContext('2d')
  context.fillStyle = 'red'
  context.fillRect(0, 0, 200, 100)
})
</script>
<template><canvas id="chart" canvas-id="chart" style="width: 200px; height: 100px" /></template>`,
    }),
  )
  await page.goto(url)
  const canvas = page.locator('#chart > canvas')
  const size = () => canvas.evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height])
  await expect.poll(size).toEqual([200, 100])
  expect(await canvas.boundingBox()).toEqual(await page.locator('#chart').boundingBox())
  const corner = await canvas.evaluate((canvas: HTMLCanvasElement) => [
    ...canvas.getContext('2d')!.getImageData(199, 99, 1, 1).data,
  ])
  expect(corner).toEqual([255, 0, 0, 255])
})

test('controls the video of a component by its context', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { name: 'videos' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'components/a-clip/a-clip.vue': `<script>
export default {
  props: ['rate'],
  mounted() {
    uni.createVideoContext('clip', this).playbackRate(this.rate)
  },
}
</script>
<template><view><video id="clip" /></view></template>`,
      'pages/a/a.vue': '<template><view><a-clip :rate="1.5" /><a-clip :rate="0.5" /></view></template>',
    }),
  )
  await page.goto(url)
  const rates = () =>
    page.locator('video').evaluateAll((videos) => videos.map((video) => (video as HTMLVideoElement).playbackRate))
  await expect.poll(rates).toEqual([1.5, 0.5])
})

test('styles placeholders by classes that a page passes to a component around the input', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { name: 'fields' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'components/a-row/a-row.vue': '<template><view><slot /></view></template><style scoped>.a { top: 0 }</style>',
      'components/a-field/a-field.vue': `<script setup>
defineProps(['hint'])
</script>
<template><view><a-row><input placeholder="name" :placeholder-class="hint" /></a-row></view></template>`,
      'pages/a/a.vue': `<template><view><a-field hint="hint" /><input placeholder="own" placeholder-class="hint" /></view></template>
<style scoped>.hint { color: rgb(255, 0, 0) }</style>`,
    }),
  )
  await page.goto(url)
  const colorOf = (text: string) => page.getByText(text).evaluate((element) => getComputedStyle(element).color)
  await expect.poll(async () => [await colorOf('name'), await colorOf('own')]).toEqual(Array(2).fill('rgb(255, 0, 0)'))
})

test('keeps what is typed while a component passes it on late, and shows what the page makes of it', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { name: 'late' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'components/a-field/a-field.vue': `<script setup>
import { ref } from 'vue'
const emit = defineEmits(['update:modelValue'])
const own = ref('')
function onInput({ detail: { value } }) {
  own.value = value
  setTimeout(() => {
    own.value = value.slice(0, 8)
    emit('update:modelValue', own.value)
  }, 40)
}
</script>
<template><view><input :value="own" @input="onInput" /></view></template>`,
      'pages/a/a.vue': `<script setup>
import { ref } from 'vue'
const name = ref('')
</script>
<template><view><a-field v-model="name" />{{ name }}</view></template>`,
    }),
  )
  await page.goto(url)
  const field = page.getByRole('textbox')
  await field.click()
  await page.keyboard.type('123456', { delay: 15 })
  await page.getByText('123456').waitFor()
  expect(await field.inputValue()).toBe('123456')
  await page.keyboard.type('789', { delay: 15 })
  await expect.poll(() => field.inputValue()).toBe('12345678')
})

test('applies rules with :deep() to the root element of a page, as in uni-app', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { name: 'deep' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': `<template><view class="root"><text>inside</text></view></template>
<style>:deep(.root) { color: rgb(255, 0, 0) }</style>`,
    }),
  )
  await page.goto(url)
  expect(await page.getByText('inside').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(255, 0, 0)')
})

test('finds properties missing that a project has not set, and calls functions that nothing has', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { name: 'own' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': `<script setup>
import { ref } from 'vue'
const before = [!!uni.isBusy, typeof uni.formOptions, wx.formOptions?.size, 'uni.isBusy', typeof uni.getLocation]
const failure = ref('')
uni.isBusy = true
uni.formOptions = { size: 3 }
const after = [uni.isBusy, wx.formOptions.size]
delete uni.isBusy
uni.startSomething({ fail: ({ errMsg }) => (failure.value = errMsg) })
const gone = uni.isBusy
</script>
<template><view>{{ [before, after, gone === undefined, failure] }}</view></template>`,
    }),
  )
  await page.goto(url)
  await expect
    .poll(async () => JSON.parse((await page.locator('neu-view').textContent()) ?? '[]'))
    .toEqual([
      [false, 'undefined', null, 'uni.isBusy', 'function'],
      [true, 3],
      true,
      'startSomething:fail not supported',
    ])
})

test('builds styles that are not valid CSS, SCSS that imports CSS beside it, and indented Sass', async () => {
  const { folder, files } = await release({
    platform: 'H5',
    project: await projectOf({
      ...pagesOf(['pages/a/a']),
      'App.vue': '<script>export default {}</script><style lang="scss">@import "kit/styles/index.scss";</style>',
      'node_modules/kit/package.json': { name: 'kit', version: '1.0.0' },
      'node_modules/kit/styles/index.scss': '@import "./icons/icons.css"; $own: 9002; .own { order: $own }',
      'node_modules/kit/styles/icons/icons.css': '.icon { order: 9001 }',
      'pages/a/a.vue':
        '<template><view /></template><style>[a~="x"] { color: #606266); } .last { order: 9003 }</style><style lang="sass">\n  .a\n    order: 9004\n\n  .b\n    order: 9005\n</style>',
    }),
  })
  const css = await textOf(folder, files, '.css')
  expect([...css.matchAll(/order:(900\d)/g)].map(([, order]) => order).sort()).toEqual([
    '9001',
    '9002',
    '9003',
    '9004',
    '9005',
  ])
})

test('warns about unknown build names in files of the project, not in those of packages', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const view = (name: string) => `<template>
<!-- #ifdef ${name} -->
<view>left out</view>
<!-- #endif -->
<!-- #ifndef MP-DINGTALK -->
<view>a</view>
<!-- #endif -->
</template>`
  const project = await projectOf({
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'node_modules/kit/package.json': { name: 'kit' },
    'node_modules/kit/kit-a.vue': view('MP-OF-A-PACKAGE'),
    'uni_modules/my-b/components/my-b/my-b.vue': view('MP-OF-A-PLUGIN'),
    'components/my-c/my-c.vue': view('MP-OF-THE-PROJECT'),
    'pages/a/a.vue': `<script setup>import KitA from 'kit/kit-a.vue'</script>
<template><view><KitA /><my-b /><my-c /></view></template>`,
  })
  const { folder, files } = await release({ platform: 'H5', project })
  expect(await textOf(folder, files, '.js')).not.toContain('left out')
  const warnings = warn.mock.calls.join('\n')
  expect(warnings.match(/no build named [\w-]+/g)).toEqual(['no build named MP-OF-THE-PROJECT'])
})

test('leaves packages with comments for another preprocessor as they are', async () => {
  const { folder, files } = await release({
    platform: 'H5',
    project: await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'node_modules/pack/package.json': { name: 'pack', version: '1.0.0', main: 'index.js', type: 'module' },
      'node_modules/pack/index.js': `/*#ifdef NO_INIT
lost
#endif*/
export function pack(text) {
//#if SIZE != 3
  text += 'packed'
//#endif
//#ifdef GZIP
  text += 'zipped'
//#endif
  return text
}`,
      'pages/a/a.vue': `<script setup>import { pack } from 'pack'</script><template><text>{{ pack('') }}</text></template>`,
    }),
  })
  const scripts = await textOf(folder, files, '.js')
  expect(scripts).toContain('packed')
  expect(scripts).toContain('zipped')
})

test('draws toasts, modals and pickers of H5 pages as uni-app does', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { vueVersion: '3' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': `<template><view><button @click="toast">toast</button><button @click="load">load</button><button @click="ask">ask</button><button @click="fail">fail</button><picker :range="['a', 'b']">pick</picker></view></template>
<script setup>
const toast = () => uni.showToast({ title: 'one two three four five six seven', icon: 'none' })
const load = () => uni.showLoading()
const ask = () => uni.showModal({ title: 'sure', content: 'really' })
const fail = () => uni.showToast({ title: 'no', icon: 'error' })
</script>`,
    }),
  )
  const boxAfter = async (button: string, selector: string) => {
    await page.getByText(button, { exact: true }).click()
    const { width, height } = (await page.locator(selector).boundingBox())!
    return { width, height: Math.round(height) }
  }
  await page.setViewportSize({ width: 390, height: 600 })
  await page.goto(url)
  expect(await boxAfter('toast', '.neu-toast')).toMatchObject({ width: 195 })
  expect(await boxAfter('load', '.neu-toast')).toEqual({ width: 128, height: 77 })
  expect(await boxAfter('fail', '.neu-toast > svg')).toEqual({ width: 38, height: 38 })
  const { borderRadius, backgroundColor } = await page
    .locator('.neu-toast > svg')
    .evaluate((icon) => ({ ...getComputedStyle(icon) }))
  expect([borderRadius, backgroundColor]).toEqual(['50%', 'rgb(255, 255, 255)'])
  expect(await boxAfter('pick', '.neu-picker-sheet')).toEqual({ width: 390, height: 283 })
  await page.getByRole('button', { name: /^(?:Cancel|取消)$/ }).click()
  expect(await boxAfter('ask', '.neu-modal')).toMatchObject({ width: 300 })
})

test('hides a loading indicator that is hidden before it has been drawn', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': `<template><view v-if="isDone">done</view></template><script>
export default {
  data: () => ({ isDone: false }),
  async onLoad() {
    const shown = uni.showLoading()
    await Promise.all([shown, uni.hideLoading()])
    this.isDone = true
  },
}
</script>`,
    }),
  )
  // The order of imports is random.
  for (let round = 0; round < 12; round += 1) {
    await page.goto(url)
    await page.getByText('done', { exact: true }).waitFor()
    expect(await page.locator('.neu-spinner').count()).toBe(0)
  }
})

test('draws pickers with the styles of component libraries as uni-app does', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      ...pagesOf(['pages/a/a']),
      'pages/a/a.vue': `<template>
  <picker-view :value="[11]" indicator-class="chosen" style="height: 170px">
    <picker-view-column class="column"><view v-for="month in 12" :key="month" class="month">{{ month }}</view></picker-view-column>
  </picker-view>
  <picker-view id="high" :value="[10]" indicator-style="height: 44px" style="height: 220px">
    <picker-view-column><view v-for="month in 12" :key="month" style="height: 44px">{{ month }}</view></picker-view-column>
  </picker-view>
</template>
<style>
.chosen { background: red; z-index: 0 }
.column { display: flex; justify-content: center }
</style>`,
    }),
  )
  await page.goto(url)
  const column = page.getByRole('spinbutton').first()
  await expect.poll(() => column.evaluate(({ scrollTop }) => scrollTop)).toBe(11 * 34)
  // Its background is behind the months.
  const order = await page
    .locator('neu-picker-view')
    .first()
    .evaluate((view) => {
      const [indicator, columns] = ['indicator', 'columns'].map(
        (name) => view.querySelector(`.neu-picker-view-${name}`)!,
      )
      const follows = indicator!.compareDocumentPosition(columns!) & Node.DOCUMENT_POSITION_FOLLOWING
      return [getComputedStyle(indicator!).zIndex, follows !== 0]
    })
  expect(order).toEqual(['0', true])
  const high = page.locator('#high [role=spinbutton]')
  await expect.poll(() => high.evaluate(({ scrollTop }) => scrollTop)).toBe(10 * 44)
  expect(await high.getAttribute('aria-valuetext')).toBe('11')
})

test('aligns rich text with the text beside it', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      ...pagesOf(['pages/a/a']),
      'pages/a/a.vue': `<template><view id="line"><rich-text class="text" nodes="a" /></view></template>
<style>
#line { line-height: 24px }
.text { display: inline-block }
</style>`,
    }),
  )
  await page.goto(url)
  expect((await page.locator('#line').boundingBox())!.height).toBe(24)
})

test('includes padding in widths of nvue pages, and draws borders that have only a width', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.nvue': `<template><view class="row"><text id="text">1</text><view id="box" /></view></template>
<style>
.row { flex-direction: row }
#text { width: 50px; padding: 0 10px }
#box { width: 20px; border-width: 2px }
</style>`,
    }),
  )
  await page.goto(url)
  expect((await page.locator('#text').boundingBox())!.width).toBe(50)
  const box = page.locator('#box')
  expect(await box.evaluate((element) => getComputedStyle(element).borderWidth)).toBe('2px')
  expect((await box.boundingBox())!.width).toBe(20)
})

test('leaves out names of fonts that no font can have', async () => {
  const project = await projectOf({
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'pages/a/a.vue': `<template><view class="a" /></template>
<style>.a { font-family: 'PingFang SC', ' Noto Sans CJK SC', "Arial ", sans-serif }</style>`,
  })
  const { folder, files } = await release({ platform: 'H5', project })
  expect(await textOf(folder, files, '.css')).toContain('font-family:PingFang SC,sans-serif}')
})

test('calls onLoad and onShow of components, also of those that appear later', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }] },
      'components/b-bar/b-bar.vue': `<script setup>
import { onLoad, onShow } from '@dcloudio/uni-app'
import { ref } from 'vue'
const { name } = defineProps({ name: String })
const called = ref([])
onLoad(({ id }) => called.value.push('onLoad ' + id))
onShow(() => called.value.push('onShow'))
</script><template><view>{{ name }}: {{ called.join() }}</view></template>`,
      'pages/a/a.vue': `<script setup>
import { onReady, onShow } from '@dcloudio/uni-app'
import { ref } from 'vue'
const isReady = ref(false)
const shown = ref(0)
onReady(() => { isReady.value = true })
onShow(() => { shown.value++ })
</script><template><b-bar name="first" /><b-bar v-if="isReady" name="later" /><view>page: {{ shown }}</view></template>`,
      'pages/b/b.vue': '<template><view>the other page</view></template>',
    }),
  )
  await page.goto(`${url}#/pages/a/a?id=7`)
  await page.getByText('first: onLoad 7,onShow', { exact: true }).waitFor()
  await page.getByText('later: onLoad 7,onShow', { exact: true }).waitFor()
  await page.getByText('page: 1', { exact: true }).waitFor()
  const call = (name: string) => page.evaluate(`uni.${name}({ url: '/pages/b/b' })`)
  await call('navigateTo')
  await page.getByText('the other page').waitFor()
  await call('navigateBack')
  await page.getByText('first: onLoad 7,onShow,onShow', { exact: true }).waitFor()
  await page.getByText('page: 2', { exact: true }).waitFor()
})

test('gives H5 pages the variables for colors that the project has in its version of uni-app', async () => {
  const colorOf = async (css: string) => {
    const project = await projectOf({
      'manifest.json': { vueVersion: '3' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': '<template><view /></template>',
      'node_modules/@dcloudio/uni-h5/style/framework/base.css': css,
    })
    const { folder, files } = await release({ platform: 'H5', project })
    return /:where\(:root\)\{--UI-FG-0:([^}]*)\}/.exec(await textOf(folder, files, '.html'))?.[1]
  }
  const rule = 'body,\nuni-page-body {\n  background-color: var(--UI-BG-0);\n  color: var(--UI-FG-0);\n}\n'
  expect(await colorOf(`html { width: 100% }\n\n${rule}`)).toBe('#000000e6')
  expect(await colorOf(`/* ${rule} */`)).toBeUndefined()
  expect(await colorOf(`@media (prefers-color-scheme: dark) {\n  ${rule.replaceAll('\n', '\n  ')}}`)).toBeUndefined()
})

test('builds a project that names Terser as its minifier, and drops what its options drop', async () => {
  const project = await projectOf({
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'pages/a/a.vue': `<script setup>\nconsole.log('for developers only')\n</script><template><view>one</view></template>`,
    'vite.config.js': `import uni from '@dcloudio/vite-plugin-uni'
export default { plugins: [uni()], build: { minify: 'terser', terserOptions: { compress: { drop_console: true } } } }
`,
  })
  const { folder, files } = await release({ platform: 'H5', project })
  expect(await textOf(folder, files, '.js')).not.toContain('for developers only')
})

test('draws tags and tabs of H5 pages in the colors and sizes of uni-app', async () => {
  const tabs = ['a', 'b'].map((name) => ({
    pagePath: `pages/${name}/${name}`,
    text: name,
    iconPath: 'static/wide.svg',
  }))
  const files = {
    'pages.json': {
      pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }, { path: 'pages/c/c' }],
      tabBar: { color: '#000000', selectedColor: '#ff0000', backgroundColor: '#ffffff', list: tabs },
    },
    'static/wide.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>',
    'pages/a/a.vue': `<template><button type="primary">go</button><input placeholder="hint" /><icon type="warn" />
      <scroll-view enable-flex style="display: flex"><view>one</view></scroll-view></template>
      <script>export default { onReady() { uni.setTabBarBadge({ index: 0, text: '3' }) } }</script>`,
    'pages/b/b.vue': '<template><view /></template>',
    'pages/c/c.vue': '<template><view /></template>',
    'App.vue': '<style>body { font-family: Own, serif }</style>',
  }
  const drawn = async (more: object) => {
    const { page, url } = await serveProject(await projectOf({ ...files, ...more }))
    await page.goto(url)
    await page.locator('.neu-badge').waitFor()
    const look = await page.evaluate(() => {
      const styleOf = (selector: string) => getComputedStyle(document.querySelector(selector)!)
      const [badge, icon] = ['.neu-badge', '.neu-tabbar-body'].map((it) =>
        document.querySelector(it)!.getBoundingClientRect(),
      )
      return {
        button: styleOf('neu-button').backgroundColor,
        placeholder: styleOf('.neu-input-placeholder').color,
        icon: styleOf('neu-icon svg').color,
        scrollView: styleOf('neu-scroll-view').display,
        tabIcon: styleOf('.neu-tabbar-icon').blockSize,
        fonts: [styleOf('.neu-navbar').fontFamily, styleOf('.neu-tabbar').fontFamily],
        badge: styleOf('.neu-badge').backgroundColor,
        overlap: (badge!.right - icon!.right) / badge!.width,
      }
    })
    await page.evaluate(() =>
      (window as unknown as { uni: { navigateTo(options: object): unknown } }).uni.navigateTo({ url: '/pages/c/c' }),
    )
    const back = await page.locator('.neu-navbar-back .neu-icon').evaluate((it) => getComputedStyle(it).inlineSize)
    return { ...look, back }
  }
  expect(await drawn({ 'manifest.json': { vueVersion: '3' } })).toEqual({
    button: 'rgb(0, 122, 255)',
    placeholder: 'rgb(128, 128, 128)',
    icon: 'rgb(247, 98, 96)',
    scrollView: 'block',
    tabIcon: '24px',
    fonts: ['Own, serif', 'Own, serif'],
    badge: 'rgb(244, 53, 48)',
    overlap: expect.closeTo(0.4),
    back: '22.5px',
  })
  const own = { button: 'rgb(0, 113, 235)', scrollView: 'flex', tabIcon: '6px', back: '27px' }
  expect(await drawn({})).toMatchObject(own)
})

test('leaves out rules with :deep() in App.vue and imported files, which browsers ignore in uni-app', async () => {
  const files = {
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'App.vue': '<script>export default {}</script><style>@import "./all.css"; .app :deep(.a) { order: 9001 }</style>',
    'all.css': '.all, .any ::v-deep .a { order: 9002 } .all .b { order: 9003 }',
    'pages/a/a.vue': '<template><view class="a" /></template><style>.page :deep(.a) { order: 9004 }</style>',
  }
  const stylesOf = async (manifest: object) => {
    const { folder, files: built } = await release({
      platform: 'H5',
      project: await projectOf({ ...files, ...manifest }),
    })
    const css = (await textOf(folder, built, '.css')).replaceAll(/\[data-v-\w+\]/g, '')
    return [...css.matchAll(/order:(900\d)/g)].map(([, order]) => order).sort()
  }
  expect(await stylesOf({ 'manifest.json': { vueVersion: '3' } })).toEqual(['9003', '9004'])
  expect(await stylesOf({})).toEqual(['9001', '9002', '9003', '9004'])
})

test('offers $router with guards to H5 builds that mention it', async () => {
  const visit = (step: string, text: string) =>
    `<template><text class="text">${text} {{ $route.query.from }}</text><text @click="go">Go</text></template>
<script>export default { methods: { go() { ${step} } } }</script>`
  const folder = await projectOf({
    'manifest.json': { name: 'Shop' },
    'pages.json': { pages: ['pages/a/a', 'pages/login/login', 'pages/b/b'].map((path) => ({ path })) },
    'main.js': `import { createSSRApp } from 'vue'
import App from './App.vue'
import { guard } from 'guards'
export function createApp() {
  const app = createSSRApp(App)
  app.use(guard)
  return { app }
}`,
    // As routers of the ecosystem do.
    'node_modules/guards/package.json': { name: 'guards', version: '1.0.0', main: 'index.js', type: 'module' },
    'node_modules/guards/index.js': `export const guard = {
  install(app) {
    const { mount } = app
    app.mount = (...args) => {
      const { $router } = app.config.globalProperties
      const { scrollBehavior } = $router.options
      $router.options.scrollBehavior = (...it) => scrollBehavior(...it)
      $router.beforeEach((to, from, next) => {
        if (to.path === '/pages/b/b' && !globalThis.isAllowed) next(false)
        else next(to.path === '/pages/a/a' && !globalThis.isSignedIn ? { path: '/pages/login/login', query: { from: 'a' } } : undefined)
      })
      globalThis.visited = []
      $router.afterEach((to, from, failure) => globalThis.visited.push([from.path, to.path, failure?.type ?? 0].join(' ')))
      return mount(...args)
    }
  },
}`,
    'App.vue': '<script>export default {}</script>',
    'pages/a/a.vue': visit(
      'uni.navigateTo({ url: "/pages/b/b" }).catch(({ errMsg }) => { globalThis.errMsg = errMsg })',
      'First',
    ),
    'pages/login/login.vue': visit('globalThis.isSignedIn = true; this.$router.replace("/pages/a/a")', 'Login'),
    'pages/b/b.vue': visit('getApp().$router.back()', 'Second'),
  })
  const { page, url } = await serveProject(folder)
  await page.goto(url)
  const shown = () => page.locator('neu-page-window:not([inert]) .text').textContent()
  const go = () => page.locator('neu-page-window:not([inert])').getByText('Go').click()
  await expect.poll(shown).toBe('Login a')
  await expect.poll(() => page.evaluate('location.hash')).toBe('#/pages/login/login?from=a')
  await go()
  await expect.poll(shown).toBe('First ')
  await go()
  await expect.poll(() => page.evaluate('globalThis.errMsg')).toMatch(/^navigateTo:fail Navigation aborted/)
  // The browser's navigation asks the guards too, and its address is corrected.
  await page.evaluate("location.hash = '#/pages/b/b'")
  await expect.poll(() => page.evaluate('location.hash')).toBe('#/')
  await page.evaluate('globalThis.isAllowed = true')
  await go()
  await expect.poll(shown).toBe('Second ')
  await go()
  await expect.poll(shown).toBe('First ')
  expect(await page.evaluate('globalThis.visited')).toEqual([
    '/ /pages/login/login 0',
    '/pages/login/login /pages/a/a 0',
    '/pages/a/a /pages/b/b 4',
    '/pages/a/a /pages/b/b 4',
    '/pages/a/a /pages/b/b 0',
    '/pages/b/b /pages/a/a 0',
  ])
})

test('changes pages by page-meta and navigation-bar, and titles by the language', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { locale: 'fr' },
      'locale/en.json': { title: 'Home', second: 'Second' },
      'locale/fr.json': { title: 'Accueil', second: 'Deuxième' },
      'pages.json': {
        pages: [
          { path: 'pages/a/a', style: { navigationBarTitleText: '%title%' } },
          { path: 'pages/b/b', style: { navigationBarTitleText: '%second%' } },
        ],
      },
      'pages/b/bar.vue': '<template><view id="own">Own component</view></template>',
      'pages/a/a.vue': `<script>
export default { data: () => ({ meta: {}, bar: {}, top: '', done: 0, enable: false, scrolled: 0 }) }
</script>
<template>
  <page-meta :page-style="meta.style" :root-font-size="meta.size" :background-color="meta.color" :scroll-top="top"
    @scroll="scrolled = $event.detail.scrollTop" @scrolldone="done += 1">
    <navigation-bar v-bind="bar" />
  </page-meta>
  <view id="clipped" style="width: 1px; height: 1px; overflow: hidden; transform: scale(1)">
    <root-portal :enable="enable"><view id="mask" class="mask">Mask</view></root-portal>
  </view>
  <match-media :min-width="600"><text id="wide">Wide</text></match-media>
  <button id="change" @click="meta = { style: 'overflow: hidden; letter-spacing: 3px', size: '20rpx', color: '#102030' };
    bar = { title: 'By tag', frontColor: '#ffffff', backgroundColor: '#112233' }; enable = true" />
  <button id="undo" @click="meta = {}" />
  <view style="height: 3000px" /><text id="place">{{ [scrolled, done] }}</text>
  <button id="scroll" @click="top = '100px'" />
</template>
<style>.mask { position: fixed; inset: 0; pointer-events: none }</style>`,
      'pages/b/b.vue': `<script setup>import NavigationBar from './bar.vue'</script>
<template><navigation-bar title="Not drawn" /></template>`,
    }),
  )
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto(url)
  const title = page.locator('.neu-navbar-title')
  const place = page.locator('#place')
  const styleOf = (selector: string, property: string) =>
    page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  // The language of manifest.json, not that of the browser.
  await expect.poll(() => title.innerText()).toBe('Accueil')
  expect(await page.title()).toBe('Accueil')
  await page.evaluate(() => (window as unknown as { uni: { setLocale(locale: string): void } }).uni.setLocale('en'))
  await expect.poll(() => title.innerText()).toBe('Home')

  expect(await page.locator('#wide').isVisible()).toBe(false)
  await page.setViewportSize({ width: 750, height: 667 })
  await page.locator('#wide').waitFor()
  const ownFontSize = await styleOf('html', 'font-size')
  expect(await page.locator('#clipped #mask').count()).toBe(1)
  await page.locator('#scroll').evaluate((button) => (button as HTMLElement).click())
  await expect.poll(async () => JSON.parse((await place.textContent())!)).toEqual([100, 1])

  await page.locator('#change').evaluate((button) => (button as HTMLElement).click())
  await expect.poll(() => title.innerText()).toBe('By tag')
  await expect.poll(() => styleOf('.neu-navbar-background', 'background-color')).toBe('rgb(17, 34, 51)')
  expect(await styleOf('neu-page', 'letter-spacing')).toBe('3px')
  expect(await styleOf('neu-page-scroll', 'overflow-y')).toBe('hidden')
  expect(await styleOf('neu-page-window', 'background-color')).toBe('rgb(16, 32, 48)')
  expect(await styleOf('html', 'font-size')).toBe('20px')
  // The mask fills the window although the tags around it are smaller.
  expect(await page.locator('neu-page-window > neu-root-portal > #mask').boundingBox()).toMatchObject({ width: 750 })

  await page.evaluate(() => location.assign('#/pages/b/b'))
  // The project's own component takes the place of the tag.
  await page.locator('#own').waitFor()
  await expect.poll(() => title.innerText()).toBe('Second')
  expect(await styleOf('html', 'font-size')).toBe(ownFontSize)
  await page.goBack()
  await expect.poll(() => styleOf('html', 'font-size')).toBe('20px')
  await page.locator('#undo').evaluate((button) => (button as HTMLElement).click())
  await expect.poll(() => styleOf('html', 'font-size')).toBe(ownFontSize)
  expect(await styleOf('neu-page-scroll', 'overflow-y')).toBe('auto')
})

test('turns a page and its bar around by setPageMeta, and leaves others', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }] },
      'pages/a/a.vue':
        '<script>export default { onLoad: () => uni.setPageMeta({ pageStyle: "direction: rtl" }) }</script>',
      'pages/b/b.vue': '<template><view style="height: 3000px" /></template>',
    }),
  )
  await page.goto(url)
  const top = 'neu-page-window:not([inert])'
  const styleOf = (selector: string, property: string) =>
    page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  const directions = async () => [
    await styleOf(`${top} neu-page`, 'direction'),
    await styleOf('.neu-navbar', 'direction'),
  ]
  const call = (name: string, options: object = {}) =>
    page.evaluate(
      ([name, options]) =>
        (window as unknown as { uni: Record<string, (options: object) => unknown> }).uni[name]!(options),
      [name, options] as const,
    )
  await expect.poll(directions).toEqual(['rtl', 'rtl'])
  await call('navigateTo', { url: '/pages/b/b' })
  await expect.poll(directions).toEqual(['ltr', 'ltr'])
  const options = {
    rootFontSize: '20px',
    rootBackgroundColor: 'rgb(1, 2, 3)',
    backgroundColor: '#040506',
    scrollTop: '70px',
  }
  expect(await call('setPageMeta', options)).toEqual({ errMsg: 'setPageMeta:ok' })
  expect(await styleOf('html', 'font-size')).toBe('20px')
  expect(await styleOf(`${top} neu-page`, 'background-color')).toBe('rgb(1, 2, 3)')
  expect(await page.locator(`${top} neu-page-scroll`).evaluate(({ scrollTop }) => scrollTop)).toBe(70)
  const size = { fontSizeSetting: 16, fontSizeScaleFactor: 1 }
  expect(await call('getHostFontSize')).toEqual({ errMsg: 'getHostFontSize:ok', ...size })
  expect(await call('getHostLanguage')).toEqual({ errMsg: 'getHostLanguage:ok', code: expect.stringMatching(/^en-US/) })
  await call('navigateBack')
  await expect.poll(directions).toEqual(['rtl', 'rtl'])
  expect(await styleOf('html', 'font-size')).toBe('16px')
  await call('setPageMeta', { pageStyle: '' })
  await expect.poll(directions).toEqual(['ltr', 'ltr'])
})

test('calls functions of the original platform, and fails for unknown ones, in whatever way they are called', async () => {
  const { page, url } = await serveProject(
    await projectOf({
      'manifest.json': { name: 'Coffee', versionName: '1.2.0', versionCode: '120' },
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': `<script setup>
import { ref } from 'vue'
const seen = ref([])
const { brewCoffee } = uni
const name = 'grindBeans'
const calls = [
  () => brewCoffee(),
  () => uni[name]({ size: 1 }),
  () => wx.foamMilk(),
  () => new Promise((resolve, reject) => wx.invokeNativePlugin({ api_name: 'readCard', data: {}, success: resolve, fail: reject })),
  () => uni.launchApp({ url: 'bank://pay' }),
]
const tested = [uni.webView, uni.$u, uni.__f__, wx.miniProgram, wx.cloud, typeof uni.launchApp, uni.canIUse('launchApp'), uni.canIUse('brewCoffee')]
Promise.allSettled(calls.map((call) => call())).then((all) => {
  seen.value = all.map(({ reason }) => reason.errMsg)
})
const { appName, appVersion, appVersionCode, hostName, uniPlatform } = uni.getSystemInfoSync()
console.$warn('warned', 1)
</script>
<template><text id="seen">{{ JSON.stringify(seen) }}</text>
<text id="tested">{{ JSON.stringify([tested, appName, appVersion, appVersionCode, hostName, uniPlatform]) }}</text></template>`,
    }),
  )
  const warned = page.waitForEvent('console', (message) => message.text() === 'warned 1')
  await page.goto(url)
  expect((await warned).type()).toBe('warning')
  const read = async (id: string) => JSON.parse((await page.locator(id).textContent()) || '[]')
  await expect.poll(() => read('#seen')).toHaveLength(5)
  expect(await read('#seen')).toEqual([
    'brewCoffee:fail not supported',
    'grindBeans:fail not supported',
    'foamMilk:fail not supported',
    ...['invokeNativePlugin', 'launchApp'].map((name) => `${name}:fail not supported in development on H5`),
  ])
  expect(await read('#tested')).toEqual([
    [null, null, null, null, null, 'function', true, false],
    ...['Coffee', '1.2.0', '120', 'chrome', 'web'],
  ])
})

test('builds and serves TypeScript although tsconfig.json extends a package that is not installed', async () => {
  const folder = await projectOf({
    'tsconfig.json': { extends: '@vue/tsconfig/tsconfig.json' },
    'vite.config.ts': `const text: string = 'configured'\nexport default { define: { TEXT: JSON.stringify(text) } }`,
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'App.vue': '<script>export default { beforeCreate() { globalThis.types = [this.$mpType] } }</script>',
    'pages/a/a.vue': `<script lang="ts">export default { beforeCreate() { types.push(this.$mpType) } }</script>
<script setup lang="ts">
import { word, Props } from './word'
declare const TEXT: string
const all: Props = { words: [TEXT, word] }
</script>
<template><my-words v-bind="all" /></template>`,
    'pages/a/word.ts': `export interface Props { words: string[] }\nexport const word: string = 'typed'`,
    'components/my-words/my-words.vue': `<script lang="ts">
import { defineComponent } from 'vue'
import { Props } from '../../pages/a/word'
export default defineComponent({ props: ['words'], beforeCreate() { types.push(this.$mpType) }, methods: { join: (of: Props['words']) => of.join() } })
</script>
<template><text id="words">{{ join(words as string[]) }}</text></template>`,
  })
  const built = await release({ platform: 'H5', project: folder })
  expect(await textOf(built.folder, built.files, '.js')).toContain('configured')
  const { page, url } = await serveProject(folder)
  await page.goto(url)
  await expect.poll(() => page.locator('#words').textContent()).toBe('configured,typed')
  expect(await page.evaluate('types')).toEqual(['app', 'page', undefined])
})

test('builds a project whose pages.json is written by a plug-in, with settings and plug-ins for older Vite', async () => {
  const folder = await projectOf({
    'package.json': { name: 'shop', private: true },
    'vite.config.js': `import { existsSync, writeFileSync } from 'node:fs'
import uni from '@uni-helper/plugin-uni'
const file = process.env.UNI_INPUT_DIR + '/pages.json'
function pages() {
  if (!existsSync(file)) writeFileSync(file, '{ "pages": [{ "path": "" }] }')
  return {
    name: 'vite-plugin-uni-pages',
    enforce: 'pre',
    async configResolved() {
      await null
      writeFileSync(file, '{ "pages": [{ "path": "pages/a/a" }] }')
    },
    transform: (code, id) => (id.endsWith('.vue') ? code.replace('definePage({})', '') : undefined),
  }
}
const imports = {
  name: 'imports',
  transform: (code, id) => (id.endsWith('.ts') ? "import { onError } from '@dcloudio/uni-app'\\n" + code : undefined),
}
let css
const classes = {
  name: 'classes',
  configResolved({ plugins }) { css = plugins.find(({ name }) => name === 'vite:css') },
  async transform(code, id) {
    if (!id.endsWith('word.js')) return
    const { code: made } = await css.transform.call(this, '.made { color: red }', 'made.css')
    return code.replace('MADE', made.replace(/\\s+/g, ''))
  },
}
let styles, post
const late = {
  name: 'unocss:late',
  configResolved({ plugins }) {
    styles = plugins.find(({ name }) => name === 'vite:css')
    post = plugins.find(({ name }) => name === 'vite:css-post')
  },
  async renderChunk(_, chunk) {
    if (!Object.keys(chunk.modules).some((id) => id.endsWith('word.js'))) return
    await post.transform.call(this, '.late { color: green }', '/late.css')
    chunk.modules['/late.css'] = { code: null, renderedLength: 0 }
    const { code } = await styles.transform('.later { color: olive; width: 75rpx }', '/later.css')
    await post.transform(code, '/later.css')
    chunk.modules['/later.css'] = { code: null, renderedLength: 0 }
  },
}
export default async () => ({
  base: '/' + (await import('./folder.js')).default,
  envDir: './env',
  publicDir: './shared',
  plugins: [pages(), uni(), imports, classes, late, { name: 'html', transformIndexHtml: { enforce: 'pre', transform: (html) => html.replace('</title>', 'titled$&') } }],
  build: { minify: 'esbuild', cssMinify: 'esbuild' },
  esbuild: { drop: ['console', 'debugger'] },
})`,
    'folder.js': `export default ''`,
    'env/.env.production': 'VITE_WORD=from-env',
    // The first build leaves out the Options API, which this package turns out to need.
    'node_modules/counting/package.json': { name: 'counting' },
    'node_modules/counting/my-count.vue': `<script>export default { data: () => ({ count: 'counted' }) }</script>
<template><text>{{ count }}</text></template>`,
    'shared/robots.txt': 'all',
    'src/pages/a/word.js': `export const word = 'MADE'`,
    'src/pages/a/a.vue': `<script setup>
import { word } from './word.js'
import MyCount from 'counting/my-count.vue'
definePage({})
const shown = word + import.meta.env.VITE_WORD
import { word as again, missing } from './word.js'
const fixed = again + typeof missing
const change = () => { fixed = 'changed' }
console.log('for developers only')
</script>
<template><text @click="change">{{ shown }}{{ fixed }}</text><MyCount /></template>
<style>.a { color: blue }</style>`,
  })
  const { folder: out, files } = await release({ platform: 'H5', project: folder })
  const scripts = await textOf(out, files, '.js')
  expect(scripts).toContain('counted')
  expect(scripts).toContain('.made{color:red}')
  expect(scripts).toContain('from-env')
  expect(scripts).toMatch(/=['"`]changed['"`]/)
  expect(scripts).not.toContain('definePage')
  expect(scripts).not.toContain('for developers only')
  expect(files.map(({ path }) => path)).toContain('robots.txt')
  expect(await textOf(out, files, '.css')).toContain(
    '.late{color:green}.later{color:olive;width:calc(75 * var(--rpx))}',
  )
  const html = await textOf(out, files, '.html')
  expect(html).toContain('src="./assets/')
  expect(html).toContain('titled</title>')
})

test('says in one message that a project for Vue 2 needs Vue 3', async () => {
  const main = (code: string) => projectOf({ ...project, 'src/main.js': code })
  const vue2 = `import Vue from 'vue'\nimport App from './App'\nnew Vue({ ...App }).$mount()\n`
  await expect(release({ platform: 'H5', project: await main(vue2) })).rejects.toThrow(VueVersionError)
  const both = `// #ifndef VUE3\n${vue2}// #endif\n// #ifdef VUE3\nimport { createSSRApp } from 'vue'\nexport function createApp() { return { app: createSSRApp({}) } }\n// #endif\n`
  expect((await release({ platform: 'H5', project: await main(both) })).files.length).toBeGreaterThan(0)
})

test('reads a vite.config that assigns variables without declaring them', async () => {
  const folder = await projectOf({
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'pages/a/a.vue': '<template>{{ word }}</template><script setup>const word = VARIABLES</script>',
    'vite.config.js': `import uni from '@dcloudio/vite-plugin-uni'
plugins = []
export default { plugins: [uni(), ...plugins], define: { VARIABLES: '"assigned"' } }
`,
  })
  const { folder: out, files } = await release({ platform: 'H5', project: folder })
  expect(await textOf(out, files, '.js')).toContain('assigned')
})

test.each(["require('@dcloudio/vite-plugin-uni')", 'require("@dcloudio/vite-plugin-uni").default'])(
  'reads a vite.config in CommonJS: %s',
  async (uni) => {
    const folder = await projectOf({
      'vite.config.js': `const uni = ${uni}
const { defineConfig } = require('vite')
module.exports = defineConfig({ plugins: [uni()], define: { TEXT: JSON.stringify('configured') } })`,
      'pages.json': { pages: [{ path: 'pages/a/a' }] },
      'pages/a/a.vue': '<script setup>\nconst text = TEXT\n</script>\n<template><text>{{ text }}</text></template>',
    })
    const built = await release({ platform: 'H5', project: folder })
    expect(await textOf(built.folder, built.files, '.js')).toContain('configured')
  },
)

test('loads the CommonJS file of a plug-in whose ES module throws', async () => {
  const plugin = (name: string, commonJs: string) => ({
    [`node_modules/${name}/package.json`]: {
      name,
      version: '1.0.0',
      exports: { './plugin': { import: './plugin.mjs', require: './plugin.cjs' } },
    },
    [`node_modules/${name}/plugin.mjs`]: `import * as path from 'node:path'\npath.sep = '${name}'\nexport default () => ({})`,
    [`node_modules/${name}/plugin.cjs`]: commonJs,
  })
  const page = {
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'pages/a/a.vue': '<template><text>A</text></template>',
  }
  const configOf = (name: string) => `import plugin from '${name}/plugin'\nexport default { plugins: [plugin()] }`
  const define = `config: () => ({ define: { 'process.env.TEXT': '"configured"' } })`
  const folder = await projectOf({
    ...page,
    ...plugin('old', `exports.__esModule = true\nexports.default = () => ({ name: 'old', ${define} })`),
    'vite.config.ts': configOf('old'),
    'pages/a/a.vue':
      '<script setup>\nconst text = process.env.TEXT\n</script>\n<template><text>{{ text }}</text></template>',
  })
  const built = await release({ platform: 'H5', project: folder })
  expect(await textOf(built.folder, built.files, '.js')).toContain('configured')

  const broken = await projectOf({ ...page, ...plugin('broken', 'missing()'), 'vite.config.ts': configOf('broken') })
  await expect(release({ platform: 'H5', project: broken })).rejects.toThrow(
    /Cannot assign to read only property 'sep'/,
  )
})

test('gives vite.config the named exports of CommonJS files of the project', async () => {
  const folder = await projectOf({
    'plugins/own.js': `const own = () => ({ name: 'own', config: () => ({ define: { TEXT: '"configured"' } }) })
own.create = own
module.exports = own`,
    'vite.config.js': `import own, { create } from './plugins/own'\nexport default { plugins: [create(), own()] }`,
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'pages/a/a.vue': '<script setup>\nconst text = TEXT\n</script>\n<template><text>{{ text }}</text></template>',
  })
  const built = await release({ platform: 'H5', project: folder })
  expect(await textOf(built.folder, built.files, '.js')).toContain('configured')
})

test('loads a plug-in that only exports a file for require', async () => {
  const folder = await projectOf({
    'node_modules/old/package.json': { name: 'old', exports: { './plugin': { require: './plugin.js' } } },
    'node_modules/old/plugin.js': `exports.word = 'configured'
exports.plugin = () => ({ name: 'old', config: () => ({ define: { TEXT: JSON.stringify(exports.word) } }) })`,
    'vite.config.ts': `import old, { plugin } from 'old/plugin'\nexport default { plugins: [plugin(old.word)] }`,
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'pages/a/a.vue': '<script setup>\nconst text = TEXT\n</script>\n<template><text>{{ text }}</text></template>',
  })
  const built = await release({ platform: 'H5', project: folder })
  expect(await textOf(built.folder, built.files, '.js')).toContain('configured')
})

test('builds with packages of the IDE that are not installed, and offers them by name', async () => {
  const folder = await projectOf({
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
    'main.js': `import { createSSRApp } from 'vue'
import { createPinia } from 'pinia'
import { createStore } from 'vuex'
import { createI18n } from 'vue-i18n'
export function createApp() {
  const app = createSSRApp({})
  app.use(createPinia()).use(createStore({ state: { word: 'vuex' } })).use(createI18n({ messages: { en: { word: 'i18n' } } }))
  return { app }
}`,
    'App.vue': '<style lang="less">@brand: #ff0001; .app { color: @brand }</style>',
    'pages/a/a.vue': `<script setup>
import { defineStore } from 'pinia'
const store = defineStore('words', { state: () => ({ word: 'pinia' }) })()
</script>
<template><text id="words">{{ store.word }} {{ $store.state.word }} {{ $t('word', 1, { locale: 'en' }) }}</text></template>`,
  })
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  const built = await release({ platform: 'H5', project: folder })
  const warnings = warned.mock.calls.flat().join('\n')
  for (const name of ['pinia', 'vuex', 'vue-i18n'])
    expect(warnings).toMatch(
      new RegExp(`The package ${name} is not installed, because uni-app's IDE.*npm install ${name}@`),
    )
  expect(await textOf(built.folder, built.files, '.css')).toContain('.app{color:#ff0001}')
  const { page, url } = await serveProject(folder)
  await page.goto(url)
  await expect.poll(() => page.locator('#words').textContent()).toBe('pinia vuex i18n')
})

test('says which plug-ins of uni_modules are encrypted', async () => {
  const folder = await projectOf({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': '<template><locked /></template>',
    'uni_modules/locked/encrypt': '',
    'uni_modules/locked/components/locked/locked.vue': Buffer.from([0xff, 0x00, 0xfe]),
  })
  await expect(release({ platform: 'H5', project: folder })).rejects.toThrow(
    "locked.vue is encrypted: only uni-app's IDE can read the plug-in locked.",
  )
})

test('loads settings in ES syntax that a loader imports with a query, in a CommonJS package', async () => {
  const folder = await projectOf({
    ...pagesOf(['pages/a/a']),
    'package.json': { private: true, type: 'commonjs' },
    // Loaders such as unconfig copy all names of the module into the settings, which plug-ins then write as JSON.
    'vite.config.js': `import { pathToFileURL } from 'node:url'
const { load } = require('loader')
export default async () => {
  const settings = await load(pathToFileURL(__dirname + '/pages.config.ts').href + '?namespace=1')
  return { define: { SETTINGS: JSON.stringify(JSON.stringify(settings)) } }
}`,
    'node_modules/loader/package.json': { name: 'loader', main: 'index.js' },
    'node_modules/loader/index.js':
      'exports.load = async (url) => { const { default: own, ...more } = await import(url); return Object.assign(own, more) }',
    'pages.config.ts': `export default { title: 'of the generator' as string }`,
    'pages/a/a.vue': '<template><view>{{ text }}</view></template><script setup>const text = SETTINGS</script>',
  })
  const { folder: out, files } = await release({ platform: 'H5', project: folder })
  expect(await textOf(out, files, '.js')).toContain('{"title":"of the generator"}')
})

test('fails if the plug-in that removes definePage() does not run', async () => {
  const page = (script: string) => `<template><view /></template>\n<script setup>\n${script}\n</script>`
  const folder = await projectOf({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'package.json': { devDependencies: { '@uni-helper/vite-plugin-uni-pages': '0.3.0' } },
    'pages/a/a.vue': page('const definePage = () => {}\ndefinePage({})'),
    'pages/b/b.vue': page('const b = 1\ndefinePage({ style: {} })'),
  })
  const error = (await release({ platform: 'H5', project: folder }).catch((thrown: unknown) => thrown)) as Error
  expect(error.message).toContain(
    `${join(folder, 'pages/b/b.vue')}:4:1 definePage() is a macro of @uni-helper/vite-plugin-uni-pages`,
  )
  expect(error.message).toContain('add it to the plugins of vite.config')
  expect(error.message).not.toContain('pages/a/a.vue')
})
