import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, openApp } from './fixture.ts'

/** All ways in which a page puts something outside of itself, by the id of its element. */
const ofPage = ['to-body', 'to-selector', 'later', 'in-root-portal', 'appended', 'appended-to-element']
/** Elements that belong to no page. */
const ofApp = ['at-start', 'of-library', 'marked']

const tab = (path: string) => ({ path: `pages/${path}/${path}`, style: { navigationBarTitleText: path } })
const page = (name: string) => `<template><view>Page ${name}</view></template>`

const files: Record<string, string> = {
  'manifest.json': '{ "vueVersion": "3" }',
  'pages.json': JSON.stringify({
    pages: [tab('a'), tab('b'), tab('c')],
    globalStyle: { navigationBarBackgroundColor: '#ffffff', navigationBarTextStyle: 'black' },
    tabBar: {
      color: '#555555',
      selectedColor: '#000000',
      backgroundColor: '#ffffff',
      list: ['a', 'b'].map((name) => ({ pagePath: `pages/${name}/${name}`, text: name })),
    },
  }),
  'main.js': `import { createSSRApp } from 'vue'
import App from './App.vue'
for (const id of ['modals', 'at-start']) document.body.append(Object.assign(document.createElement('div'), { id, textContent: id }))
export const createApp = () => ({ app: createSSRApp(App) })`,
  'App.vue': '<script>export default {}</script>',
  'pages/a/a.vue': `<script setup>
import { createApp, onMounted, ref } from 'vue'
const isLater = ref(false)
const add = (id, to = document.body) => to.appendChild(Object.assign(document.createElement('p'), { id, textContent: id }))
onMounted(() => {
  add('appended')
  add('appended-to-element', document.querySelector('#modals'))
  add('marked').setAttribute('data-neu-global', '')
  createApp({ template: '', render: () => 'of-library' }).mount(add('of-library'))
  setTimeout(() => { isLater.value = true })
})
</script>
<template>
  <view>
    <teleport to="body"><view id="to-body">to body<text style="visibility: visible">!</text></view></teleport>
    <teleport to="#modals"><view id="to-selector">to selector</view></teleport>
    <teleport to="body"><view v-if="isLater" id="later">later</view></teleport>
    <root-portal><view id="in-root-portal">in root-portal</view></root-portal>
  </view>
</template>`,
  'pages/b/b.vue': page('b'),
  'pages/c/c.vue': page('c'),
}

let project: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'souk-outside-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), text)
  }
})
afterAll(() => rm(project, { recursive: true }))

describe.each(['H5', 'App'] as const)('outside of a page, on %s', (platform) => {
  let app: App
  const visible = async () => {
    await app.settled()
    return app.app.evaluate(
      (ids) => ids.filter((id) => document.getElementById(id)?.checkVisibility({ visibilityProperty: true })),
      [...ofPage, ...ofApp],
    )
  }

  beforeAll(async () => {
    app = await openApp({ project, platform, mode: 'serve' })
    await app.app.waitForSelector('#later')
  })
  afterAll(() => app?.close())

  test.each([
    ['a page above', 'navigateTo', 'pages/c/c', 'navigateBack', {}],
    ['another tab', 'switchTab', 'pages/b/b', 'switchTab', { url: '/pages/a/a' }],
  ] as const)('everything is hidden by %s, and comes back', async (_, open, path, back, options) => {
    await expect.poll(visible).toEqual([...ofPage, ...ofApp])
    await app.go(path, open)
    await expect.poll(visible).toEqual(ofApp)
    expect(
      await app.app.evaluate(() =>
        document.querySelector('#to-body text, #to-body neu-text')!.checkVisibility({ visibilityProperty: true }),
      ),
    ).toBe(false)
    expect(await app.app.evaluate(() => document.querySelector('#to-body')!.closest('[inert]') !== null)).toBe(true)
    await app.neu(back, options)
    await expect.poll(visible).toEqual([...ofPage, ...ofApp])
  })

  test('what a closed page has left stays hidden', async () => {
    await app.neu('reLaunch', { url: '/pages/b/b' })
    await expect.poll(visible).toEqual(ofApp)
  })
})
