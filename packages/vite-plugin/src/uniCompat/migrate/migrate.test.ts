import { execFileSync } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Files, pagesOf, projectOf, writeFiles } from '../../../test/project.ts'
import { factsOf } from './facts.ts'
import { type Finding, migrate, UnsafeWrite, writeChanges } from './index.ts'
import { limits } from './sources.ts'

const pages = pagesOf(['pages/a/a'])
const page = (script: string, template = '<view />') => ({
  'pages/a/a.vue': `<template>${template}</template>\n<script>\n${script}\n</script>\n`,
})

async function reported(files: Files, platform?: 'H5' | 'App' | 'Mini App') {
  const project = await projectOf({ ...pages, ...files })
  return migrate({ project, ...(platform && { platforms: [platform] }) })
}

/** Returns the subjects of a section, with their places. */
const of = (findings: readonly Finding[], section: Finding['section']) =>
  Object.fromEntries(
    findings
      .filter((each) => each.section === section)
      .map(({ subject, places }) => [subject, places.map(({ file, line, column }) => `${file}:${line}:${column}`)]),
  )

test('reports tags and functions that Souk does not have, with file and line, and counts those it has', async () => {
  const script = `export default { methods: { go() { uni.navigateTo({ url: '/a' }); uni.startWifi() } } }`
  const { findings, works } = await reported(page(script, '<view><camera /><text>1</text><text>2</text></view>'))
  expect(of(findings, 'missing')).toEqual({
    'uni.startWifi': ['pages/a/a.vue:3:67'],
    '<camera>': ['pages/a/a.vue:1:17'],
  })
  expect(works).toMatchObject({ pages: 1, files: 1, tags: { text: 2, view: 1 }, functions: { navigateTo: 1 } })
})

test('reports only what a platform builds', async () => {
  const script = `// #ifdef APP-PLUS
plus.runtime.restart()
// #endif
// #ifdef MP-WEIXIN
wx.startWifi()
// #endif
plus.screen.lock()
localStorage.clear()`
  const { findings } = await reported(page(script))
  expect(
    findings.filter(({ section }) => section === 'missing').map(({ subject, platforms }) => [subject, platforms]),
  ).toEqual([
    ['plus.runtime', ['App']],
    ['plus.screen', ['App']],
    ['localStorage', ['App', 'Mini App']],
  ])
  const onH5 = await reported(page(script), 'H5')
  expect(of(onH5.findings, 'missing')).toEqual({})
})

const guarded: Files = {
  ...page(`export default { methods: {
  // #ifdef APP-PLUS
  login() { uni.login({}) },
  // #endif
  // #ifdef H5
  title() {},
  // #endif
  // #ifdef MP-WEIXIN
  share() {},
  // #endif
  a() {}
} }`),
  'uni_modules/kit/index.js': '// #ifdef H5\na()\n// #endif',
}

test.each([
  [undefined, {}, ['App', 'default'], []],
  ['App', {}, ['App', 'option'], []],
  ['Mini App', {}, ['Mini App', 'option'], ['#ifdef APP-PLUS pages/a/a.vue:4', '#ifdef H5 pages/a/a.vue:7']],
  [
    undefined,
    { platform: 'Mini App' },
    ['Mini App', 'package'],
    ['#ifdef APP-PLUS pages/a/a.vue:4', '#ifdef H5 pages/a/a.vue:7'],
  ],
] as const)(
  'reports guarded blocks that the build for --platform %s, package.json %j drops',
  async (platform, souk, built, expected) => {
    const { findings, target } = await reported({ ...guarded, 'package.json': { souk } }, platform)
    expect([target.platform, target.source]).toEqual(built)
    const found = findings.filter(({ message }) => message.includes('without a branch'))
    expect(
      found.flatMap(({ subject, places }) => places.map(({ file, line }) => `${subject} ${file}:${line}`)),
    ).toEqual(expected)
    for (const { section, platforms } of found) expect([section, platforms]).toEqual(['differs', [built[0]]])
  },
)

test('reads only files that the build reaches, along imports, aliases and easycom', async () => {
  const call = (name: string) => `uni.${name}()\n`
  const { findings, works } = await reported({
    ...page(`import '@/lib/one'\nimport './two.js'\nimport '#/four'\nimport('three')`, '<my-box />'),
    'lib/one/index.ts': call('startWifi'),
    'pages/a/two.js': call('startHCE'),
    'node_modules/three/index.js': call('startCompass'),
    'other/four.js': call('startBeaconDiscovery'),
    'components/my-box/my-box.vue': '<template><camera /></template>',
    'components/unused/unused.vue': '<template><ad /></template>',
    'vite.config.ts': `import path from 'node:path'\nexport default { resolve: { alias: { '#': path.resolve(__dirname, './other') } } }`,
  })
  expect(Object.keys(of(findings, 'missing')).sort()).toEqual([
    '<camera>',
    'uni.startBeaconDiscovery',
    'uni.startHCE',
    'uni.startWifi',
  ])
  expect(works.files).toBe(5)
})

test('does not report functions that a script tests, declares or defines itself', async () => {
  const { findings } = await reported({
    ...page(`import wx from './own.js'
wx.startWifi()
uni.$u.toast(uni.anything)
uni.share = () => {}
uni.share()
if (uni.startHCE) uni.startHCE()
uni.startCompass?.()
if (uni.canIUse('startBeaconDiscovery')) uni.startBeaconDiscovery()`),
    'pages/a/own.js': 'export default {}',
  })
  expect(of(findings, 'missing')).toEqual({})
})

test('reports packages that are not installed, files that do not exist, and paths without @/', async () => {
  const { findings, changes } = await reported({
    ...page(`import { defineStore } from 'pinia'
import 'lodash'
import './gone.js'
import 'common/a.js'
import 'dayjs'
import 'virtual:icons'`),
    'common/a.js': '',
    // A folder that is named like a package is not meant.
    'pinia/index.js': '',
    'package.json': '{\n    "dependencies": {\n        "dayjs": "1"\n    }\n}\n',
  })
  expect(
    findings.map(({ section, subject, message, isAutomatic }) => [section, subject, message, isAutomatic]),
  ).toEqual([
    ['change', 'lodash', 'not in package.json: add it with npm install lodash', undefined],
    ['change', './gone.js', 'this file does not exist', undefined],
    ['change', 'common/a.js', 'not a package: write @/common/a.js', undefined],
    ['differs', 'pinia', "not in package.json, the build uses Souk's: add it with npm install pinia", true],
  ])
  expect(changes.map(({ after }) => after)).toEqual([
    '{\n    "dependencies": {\n        "dayjs": "1",\n        "pinia": "^2.3.0"\n    }\n}\n',
  ])
})

test('reads the script that an import of its compiled name means', async () => {
  const { findings } = await reported({
    ...page("import { a } from './of.js'\nimport './gone.js'\nexport default { created: a }"),
    'pages/a/of.ts': 'export const a = () => uni.startWifi()',
  })
  expect(of(findings, 'change')).toEqual({ './gone.js': ['pages/a/a.vue:4:8'] })
  expect(of(findings, 'missing')).toEqual({ 'uni.startWifi': ['pages/a/of.ts:1:24'] })
})

test('asks for a change only where pages.json prevents a build', async () => {
  const { findings } = await reported({
    ...page(''),
    'pages.json': {
      pages: [{ path: 'pages/a/a' }, { path: 'pages/gone/gone' }],
      // Without backgroundColor, the bar has the default.
      tabBar: { color: '#000000', selectedColor: '#ff0000', list: [] },
    },
  })
  const inPages = findings.filter(({ subject }) => subject === 'pages.json')
  const messages = (wanted: string) => inPages.flatMap(({ section, message }) => (section === wanted ? message : []))
  expect(messages('change')).toEqual([expect.stringContaining('pages/gone/gone')])
  expect(messages('differs')).toContainEqual(expect.stringContaining('"backgroundColor" is missing'))
})

test('says that components of packages are not read', async () => {
  const { findings } = await reported({
    ...page("import 'kit'", '<kit-box /><kit-row /><gone-box /><match-media />'),
    'pages.json': {
      pages: [{ path: 'pages/a/a' }],
      easycom: { custom: { '^(kit|gone)-(.*)': '$1/$2.vue' } },
    },
    'package.json': { dependencies: { kit: '1' } },
    'node_modules/kit/package.json': { name: 'kit' },
    'node_modules/kit/box.vue': '<template><camera /></template>',
    'node_modules/kit/row.vue': '<template><camera /></template>',
  })
  expect(of(findings, 'missing')).toEqual({})
  expect(of(findings, 'change')).toEqual({ gone: ['pages/a/a.vue:1:33'] })
  expect(of(findings, 'differs')).toEqual({ kit: ['pages/a/a.vue:1:11', 'pages/a/a.vue:1:22'] })
})

test('reports settings of manifest.json and hooks that are never called', async () => {
  const { findings } = await reported({
    ...page('export default { onUniNViewMessage() {}, onShareAppMessage() {}, methods: { onShareTimeline() {} } }'),
    'manifest.json': `{
  // Comments are allowed.
  "h5": { "router": { "mode": "history" } },
  "app-plus": { "nativePlugins": { "Maps": {} } }
}`,
  })
  expect(of(findings, 'missing')).toEqual({
    onUniNViewMessage: ['pages/a/a.vue:3:18'],
    'app-plus.nativePlugins.Maps': ['manifest.json:4:44'],
  })
  expect(of(findings, 'differs')).toMatchObject({ 'h5.router.mode': ['manifest.json:3:31'] })
})

test.each([
  ['{ "transformPx": true }', ['manifest.json:1:18']],
  ['{ "transformPx": false }', undefined],
  ['{}', undefined],
])('reports that px are not converted: %s', async (manifest, places) => {
  const { findings } = await reported({ 'manifest.json': manifest })
  expect(of(findings, 'differs').transformPx).toEqual(places)
})

test('accepts imports of hooks that are never called, and reports the hooks', async () => {
  const { findings } = await reported(
    page(
      "import { onLoad, onPageShow, onUniNViewMessage, onNothing } from '@dcloudio/uni-app'\nimport '@dcloudio/uni-i18n'",
    ),
  )
  expect(of(findings, 'missing')).toEqual({ onUniNViewMessage: ['pages/a/a.vue:3:66'] })
  expect(of(findings, 'change')).toEqual({ onNothing: ['pages/a/a.vue:3:66'] })
})

test('names the registry that npm install needs for packages which builds do without', async () => {
  const files = {
    ...page('export default {}'),
    '.npmrc': `; of the company
registry=https://registry.npmjs.org/
@dcloudio:registry = https://layla:tea4two@npm.example/group/
@other:registry=https://other.example/`,
    'package.json': {
      dependencies: { '@dcloudio/uni-app': '3.0.0', '@dcloudio/uni-ui': '1.5.0', '@other/kit': '1.0.0' },
      devDependencies: { '@dcloudio/vite-plugin-uni': '3.0.0' },
    },
  }
  const { findings } = await reported(files)
  expect(findings).toMatchObject([
    {
      section: 'differs',
      subject: 'npm.example',
      message:
        'npm install needs this registry for @dcloudio/uni-app and @dcloudio/vite-plugin-uni, which Souk replaces: if it cannot be reached, remove them from package.json',
      places: [{ file: '.npmrc', line: 3, column: 1 }],
    },
  ])
  const installed = ['uni-app', 'vite-plugin-uni'].map((name) => [
    `node_modules/@dcloudio/${name}/package.json`,
    { version: '3.0.0' },
  ])
  expect((await reported({ ...files, ...Object.fromEntries(installed) })).findings).toEqual([])
})

test('reports definePage() without its plug-in, with what to do', async () => {
  const files = page('definePage({ style: {} })\nexport default {}')
  const { findings } = await reported(files)
  expect(of(findings, 'change')).toEqual({ definePage: ['pages/a/a.vue:3:1'] })
  const complete = {
    ...files,
    'vite.config.js': "import pages from '@uni-helper/vite-plugin-uni-pages'",
    'node_modules/@uni-helper/vite-plugin-uni-pages/package.json': {},
  }
  expect(of((await reported(complete)).findings, 'change')).toEqual({})
})

test('reports tags and modules that only native pages have', async () => {
  const { findings } = await reported({
    'pages.json': { pages: [{ path: 'pages/n/n' }, { path: 'pages/b/b' }] },
    'pages/n/n.nvue': `<template><div><list><header /></list><gcanvas /><web /><scroller /><waterfall-card /></div></template>
<script>
import Scroller from './scroller.vue'
import bindingx from 'weex-bindingx'
const dom = weex.requireModule('dom')
const same = uni.requireNativePlugin('dom')
const animation = uni.requireNativePlugin('animation')
const scanner = uni.requireNativePlugin('Acme-Scanner')
weex.config.env
</script>`,
    'pages/n/scroller.vue': '<template><view /></template>',
    // HTML, and a component of easycom.
    'pages/b/b.vue': '<template><header /><loading /></template>',
    'components/loading/loading.vue': '<template><view /></template>',
    'package.json': { dependencies: { 'weex-bindingx': '1' } },
  })
  const missing = findings.filter(({ section }) => section === 'missing')
  expect(Object.fromEntries(missing.map(({ subject, message }) => [subject, message]))).toEqual({
    '<gcanvas>': 'not available: only its content is drawn',
    '<web>': 'not available: only its content is drawn',
    'weex-bindingx': 'native only: use touch events with CSS transforms',
    "weex.requireModule('dom')": "native only: use uni.requireNativePlugin('dom')",
    "uni.requireNativePlugin('animation')": 'native only: use CSS transitions or uni.createAnimation()',
    "uni.requireNativePlugin('Acme-Scanner')": 'native only',
    'weex.config': 'native only',
  })
  expect(of(findings, 'differs')).toMatchObject({
    'uni.requireNativePlugin': expect.anything(),
    '<header>': ['pages/n/n.nvue:1:22'],
  })
})

test('reports what pages keep of a WeChat mini program', async () => {
  const wechat = 'export default { methods: { a() { this.setData({ b: 1 }); this.getTabBar().setData({ b: 1 }) } } }'
  const { findings } = await reported({
    ...page(wechat, '<wxs module="f" src="./f.wxs"></wxs><view>{{ f.a }}</view>'),
    'pages.json': { pages: [{ path: 'pages/a/a' }], tabBar: { custom: true, list: [] } },
    'custom-tab-bar/index.vue':
      '<template><view /></template><script>export default { created() { this.setData({}) } }</script>',
  })
  expect(of(findings, 'change')).toMatchObject({ '<wxs>': ['pages/a/a.vue:1:11'] })
  expect(of(findings, 'differs')).toMatchObject({ 'this.setData': ['pages/a/a.vue:3:35'] })
  const own = 'export default { methods: { setData() {}, a() { this.setData({}) } } }'
  expect(of((await reported(page(own))).findings, 'differs')).toEqual({})
})

const vue2: Files = {
  'manifest.json': '{ "vueVersion": "2" }',
  ...page(
    `export default {
  data: () => ({ destroyed: false }),
  beforeDestroy() {},
  'destroyed'() {},
  filters: {},
  methods: { a() { this.$set(this, 'a', 1); this.$delete(this, 'a') } },
}`,
    '<my-list :value.sync="a" :key.sync.camel="b" @tap.native="a"><p slot-scope="b">{{ a | money }}</p></my-list>',
  ),
}

test('reports syntax of Vue 2 in projects for Vue 2, and changes what Vue 3 has under another name', async () => {
  const { vue, findings, changes } = await reported(vue2)
  expect(vue).toBe(2)
  expect(Object.keys(of(findings, 'change')).sort()).toEqual(
    ['beforeDestroy', 'destroyed', 'filter', 'filters', 'native', 'slot-scope', 'sync', 'this.$delete'].sort(),
  )
  const [change] = changes
  expect(change!.after).toContain('<my-list v-model:value="a" :key.sync.camel="b"')
  expect(change!.after).toContain("destroyed: false }),\n  beforeUnmount() {},\n  'destroyed'() {}")
})

test('says where a file cannot be parsed, and reads the others', async () => {
  const { findings } = await reported({
    ...page("import './b.js'\nuni.startWifi()"),
    'pages/a/b.js': 'const a = 1\nconst = 2\n',
  })
  expect(of(findings, 'change')).toEqual({ syntax: ['pages/a/b.js:2:7'] })
  expect(of(findings, 'missing')).toEqual({ 'uni.startWifi': ['pages/a/a.vue:4:1'] })
})

test('does not read files over the limits', async () => {
  const { findings } = await reported({
    ...page("import './big.js'"),
    'pages/a/big.js': `uni.startWifi()\n//${'x'.repeat(limits.fileBytes)}`,
  })
  expect(of(findings, 'missing')).toEqual({})
  expect(of(findings, 'differs')).toEqual({ 'not read': ['pages/a/big.js:1:1'] })
})

test('reads scripts of any nesting without an exception', () => {
  const depth = 3000
  for (const text of [
    `${'['.repeat(depth)}uni.share()${']'.repeat(depth)}`,
    `${'a('.repeat(depth)}`,
    '\0',
    '<template>',
  ]) {
    expect(() => factsOf('a.js', text)).not.toThrow()
    expect(() => factsOf('a.vue', `<script>${text}</script>`)).not.toThrow()
    expect(() => factsOf('a.vue', `<template>${'<view>'.repeat(depth)}{{ ${text} }}</template>`)).not.toThrow()
  }
})

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    encoding: 'utf8',
  })

test('writes only if git can restore the files, unless forced', async () => {
  const project = await projectOf({ ...pages, ...vue2 })
  const { folder, changes } = await migrate({ project })
  const file = join(project, 'pages/a/a.vue')
  const before = await readFile(file, 'utf8')
  const refused = async (why: RegExp) => {
    await expect(writeChanges(folder, changes, false)).rejects.toThrow(why)
    await expect(writeChanges(folder, changes, false)).rejects.toBeInstanceOf(UnsafeWrite)
    expect(await readFile(file, 'utf8')).toBe(before)
  }
  // A repository around the temporary folder would hide the first refusal.
  process.env.GIT_CEILING_DIRECTORIES = join(project, '..')
  await refused(/not in a git repository/)
  git(project, 'init', '-q')
  await refused(/not committed/)
  await writeFiles(project, { '.gitignore': 'a.vue\n' })
  git(project, 'add', '-A')
  git(project, 'commit', '-qm', 'all')
  await refused(/ignores/)
  git(project, 'add', '-f', 'pages/a/a.vue')
  git(project, 'commit', '-qm', 'page')
  await writeChanges(folder, changes, false)
  expect(await readFile(file, 'utf8')).toBe(changes[0]!.after)
  expect(git(project, 'status', '--porcelain')).toBe(' M pages/a/a.vue\n')
  await expect(writeChanges(folder, changes, true)).rejects.toThrow('has changed since it was read')
})

test('keeps the byte order mark and never writes through a link that leaves the project', async () => {
  const project = await projectOf({ ...pages, ...vue2 })
  const file = join(project, 'pages/a/a.vue')
  await writeFile(file, `\uFEFF${await readFile(file, 'utf8')}`)
  const first = await migrate({ project })
  await writeChanges(first.folder, first.changes, true)
  expect(await readFile(file, 'utf8')).toMatch(/^\uFEFF<template><my-list v-model:value/)

  const outside = await projectOf({ 'a.vue': String(vue2['pages/a/a.vue']) })
  const linked = await projectOf({ ...pagesOf(['pages/b/b']), 'manifest.json': '{ "vueVersion": "2" }' })
  await symlink(join(outside, 'a.vue'), join(linked, 'pages/b/b.nvue'))
  await writeFiles(linked, { 'pages/b/b.vue': '<script src="./b.nvue" />' })
  await symlink(join(outside, 'a.vue'), join(linked, 'pages/b/c.vue'))
  await writeFiles(linked, { 'pages/b/b.vue': "<script>import './c.vue'</script>" })
  const { folder, changes } = await migrate({ project: linked })
  expect(changes).toHaveLength(1)
  await expect(writeChanges(folder, changes, true)).rejects.toThrow('outside of the project')
  expect(await readFile(join(outside, 'a.vue'), 'utf8')).toBe(vue2['pages/a/a.vue'])
})

test('reports what a file outside of the project has to change, and writes the others', async () => {
  const folder = await projectOf({
    'app/package.json': { dependencies: { vue: '^2.6.0' } },
    'app/pages.json': { pages: [{ path: 'pages/a' }] },
    'app/pages/a.vue': `<script>\nimport '../../common.js'\nexport default { beforeDestroy() {} }\n</script>`,
    'common.js': 'export default { beforeDestroy() {} }\n',
  })
  const { findings, changes } = await migrate({ project: join(folder, 'app') })
  expect(findings.map(({ places, isAutomatic }) => [places[0]!.file, isAutomatic])).toEqual([
    ['pages/a.vue', true],
    ['../common.js', undefined],
    ['package.json', undefined],
  ])
  expect(changes.map(({ file }) => file)).toEqual([join(folder, 'app/pages/a.vue')])
})

test('does not rename an option that is the name of a variable, too', async () => {
  const script = `import { destroyed } from './b.js'\nexport default { beforeDestroy : () => {}, destroyed }`
  const { changes } = await reported({
    ...page(script),
    'manifest.json': '{ "vueVersion": "2" }',
    'pages/a/b.js': 'export const destroyed = () => {}',
  })
  expect(changes[0]!.after).toContain('export default { beforeUnmount : () => {}, destroyed }')
  expect(changes[0]!.titles).toEqual(['Rename beforeDestroy to beforeUnmount'])
})

test('reports plug-ins in uni_modules that are encrypted or have native code only, and no others', async () => {
  const script = ['locked', 'native', 'web'].map((name) => `import '@/uni_modules/${name}'`).join('\n')
  const { findings } = await reported({
    ...page(script),
    'uni_modules/locked/encrypt': '',
    'uni_modules/locked/index.js': Buffer.from([0xff, 0x00, 0xfe]),
    'uni_modules/native/utssdk/app-android/index.uts': '',
    'uni_modules/web/utssdk/web/index.uts': '',
  })
  expect(of(findings, 'change')).toEqual({ locked: ['uni_modules/locked/index.js:1:1'] })
  expect(of(findings, 'missing')).toEqual({ 'uni_modules/native': ['pages/a/a.vue:4:8'] })
})
