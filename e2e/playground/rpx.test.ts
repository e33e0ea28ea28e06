import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, openApp } from './fixture.ts'

/**
 * All ways in which a page gives a height of 90rpx, which is 45 px on a screen of 375 px. Each is the markup of an
 * element with the class `way`.
 */
const ways: Record<string, string> = {
  'a style sheet': '<view class="way sheet" />',
  'a style sheet in SCSS': '<view class="way scss" />',
  'the style sheet of App.vue': '<view class="way of-app" />',
  'a custom property': '<view class="way property" />',
  'a custom property in a binding': '<view class="way inherits" :style="{ \'--own\': h }" />',
  'a style attribute': '<view class="way" style="height: 90rpx" />',
  'a style attribute of a component': '<Part class="way" style="height: 90rpx" />',
  'a bound text': '<view class="way" :style="text" />',
  'a bound object': '<view class="way" :style="{ height: h }" />',
  'a bound list': '<view class="way" :style="[{ color: \'red\' }, { height: h }]" />',
  'a bound list of texts': '<view class="way" :style="[text]" />',
  'a binding of a component': '<Part class="way" :style="{ height: h }" />',
  'bound attributes': '<view class="way" v-bind="{ style: { height: h } }" />',
  'the style of a dynamic component': '<component :is="part" class="way" style="height: 90rpx" />',
  'a binding of a dynamic component': '<component :is="part" class="way" :style="{ height: h }" />',
  'bound attributes of a dynamic component': '<component :is="part" class="way" v-bind="{ style: { height: h } }" />',
  'v-bind() in CSS': '<view class="way variable" />',
  'v-bind() of a member': '<view class="way member" />',
  'v-bind() in calc()': '<view class="way calculated" />',
  'v-bind() in the Options API': '<Options class="way" />',
  'v-bind() of a prop in a component': '<Bound class="way" :height="h" />',
  'the nodes of rich-text': "<rich-text :nodes=\"[{ name: 'div', attrs: { class: 'way', style: text } }]\" />",
  'the HTML of rich-text': '<rich-text :nodes=html />',
  'the indicator of a picker-view':
    '<picker-view style="height: 200px" indicator-class="way" :indicator-style="text"><picker-view-column><view>1</view></picker-view-column></picker-view>',
  'the size of an icon': '<icon class="way" type="success" :size="h" />',
  'an animation': '<view class="way" :animation="animation" />',
  'a script module': '<view class="way" :change:at="wxs.move" :at="moved" />',
}

const files: Record<string, string> = {
  'manifest.json': '{ "vueVersion": "3" }',
  'pages.json': JSON.stringify({
    pages: [{ path: 'pages/a/a', style: { navigationBarTitleText: 'Lengths', navigationBarTextStyle: 'black' } }],
    globalStyle: { navigationBarBackgroundColor: '#ffffff' },
  }),
  'main.js': `import { createSSRApp } from 'vue'
import App from './App.vue'
export const createApp = () => ({ app: createSSRApp(App) })`,
  'App.vue': '<script>export default {}</script><style>.of-app { height: 90rpx }</style>',
  'pages/a/Part.vue': '<template><view /></template>',
  'pages/a/Options.vue': `<script>export default { data: () => ({ h: '90rpx' }) }</script>
<template><view class="options" /></template>
<style>.options { height: v-bind(h) }</style>`,
  'pages/a/Bound.vue': `<script setup>defineProps(['height'])</script>
<template><view class="bound" /></template>
<style scoped>.bound { height: v-bind(height) }</style>`,
  'pages/a/a.vue': `<script setup lang="ts">
import { onMounted, ref } from 'vue'
import Bound from './Bound.vue'
import Options from './Options.vue'
import Part from './Part.vue'
const part: object = Part
const h = ref<string>('90rpx')
const short = ref('86rpx')
const text = ref('height: 90rpx')
const html = ref('<div class="way" style="height: 90rpx"></div>')
const sizes = ref({ of: { bar: '90rpx' } })
const animation = ref({})
const moved = ref(0)
onMounted(() => {
  animation.value = uni.createAnimation({ duration: 0 }).height('90rpx').step().export()
  moved.value = 1
})
</script>
<script module="wxs" lang="wxs">
module.exports = { move: function (at, old, owner, instance) { instance.setStyle({ height: '90rpx' }) } }
</script>
<template><view class="ways">
${Object.values(ways).join('\n')}
</view></template>
<style scoped>
.sheet { height: 90rpx }
.property { --h: 90rpx; height: var(--h) }
.inherits { height: var(--own) }
.variable { height: v-bind(h) }
.member { height: v-bind('sizes.of.bar') }
.calculated { height: calc(v-bind(short) + 2px) }
</style>
<style lang="scss" scoped>
$height: 90rpx;
.ways { .scss { height: $height } }
</style>`,
}

let project: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'souk-rpx-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), text)
  }
})
afterAll(() => rm(project, { recursive: true }))

describe.each(['H5', 'App'] as const)('lengths on %s', (platform) => {
  let app: App
  beforeAll(async () => {
    app = await openApp({ project, platform, mode: 'serve' })
  })
  afterAll(() => app?.close())

  test.each(Object.keys(ways))('90rpx by %s are 45 px', async (way) => {
    const at = Object.keys(ways).indexOf(way)
    const height = () =>
      app.app
        .locator('.way')
        .nth(at)
        .evaluate((element) => element.getBoundingClientRect().height)
    await expect.poll(height).toBe(45)
  })
})
