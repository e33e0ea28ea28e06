import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the text that a page shows. */
export const textOf = (index: number): string => `This is page number ${index}`
export const pathOf = (index: number): string => `pages/page${index}/page${index}`

/** Writes a project that both sides can build: it has the layout and the imports of a uni-app project. */
export function writeProject(folder: string, pages: number): void {
  rmSync(folder, { recursive: true, force: true })
  const put = (path: string, content: string | Buffer | object) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(
      join(folder, path),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2),
    )
  }
  put('package.json', { name: 'bench', private: true, type: 'module' })
  put('index.html', document)
  put('src/main.js', main)
  put('src/App.vue', app)
  put('src/manifest.json', { name: 'bench', appid: '', vueVersion: '3', h5: { router: { mode: 'hash' } } })
  put('src/uni.scss', '')
  put('src/pages.json', {
    pages: Array.from({ length: pages }, (_, index) => ({
      path: pathOf(index),
      style: { navigationBarTitleText: `Page ${index}`, ...(index % 5 === 2 && { enablePullDownRefresh: true }) },
    })),
    globalStyle: {
      navigationBarTextStyle: 'black',
      navigationBarBackgroundColor: '#ffffff',
      backgroundColor: '#f8f8f8',
    },
    tabBar: {
      color: '#7a7e83',
      selectedColor: '#3c5ecc',
      backgroundColor: '#ffffff',
      list: [0, 1].map((index) => ({ pagePath: pathOf(index), text: `Tab ${index}` })),
    },
  })
  put('src/static/picture.png', Buffer.from(pixel, 'base64'))
  put('src/components/item-card/item-card.vue', card)
  for (let index = 0; index < pages; index += 1) put(`src/${pathOf(index)}.vue`, page(index))
}

/** Copies the project for the peer and adds its packages and configuration. */
export function copyForPeer(from: string, to: string, peer: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  symlinkSync(join(peer, 'node_modules'), join(to, 'node_modules'))
  // The peer looks up its plugins in the project's dependencies.
  const { dependencies } = JSON.parse(readFileSync(join(peer, 'package.json'), 'utf8'))
  writeFileSync(
    join(to, 'package.json'),
    JSON.stringify({ name: 'bench', private: true, type: 'module', dependencies }),
  )
  writeFileSync(
    join(to, 'vite.config.js'),
    `import uni from '@dcloudio/vite-plugin-uni'
export default { plugins: [(uni.default ?? uni)()], server: { port: Number(process.env.PORT), strictPort: true, host: 'localhost' } }
`,
  )
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const document = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0, viewport-fit=cover" />
    <title></title>
    <!--preload-links-->
    <!--app-context-->
  </head>
  <body>
    <div id="app"><!--app-html--></div>
    <script type="module" src="/src/main.js"></script>
  </body>
</html>
`

const main = `import { createSSRApp } from 'vue'
import App from './App.vue'
export function createApp() {
  const app = createSSRApp(App)
  return { app }
}
`

const app = `<script>
export default {
  onLaunch() {},
}
</script>
<style>
page {
  font-size: 28rpx;
  color: #303133;
}
</style>
`

const card = `<script setup>
defineProps({ title: String, note: String })
</script>
<template>
  <view class="card">
    <text class="card-title">{{ title }}</text>
    <text v-if="note" class="card-note">{{ note }}</text>
    <slot />
  </view>
</template>
<style scoped>
.card {
  padding: 24rpx 32rpx;
  margin-bottom: 20rpx;
  background-color: #ffffff;
  border-radius: 16rpx;
}
.card-title {
  font-size: 32rpx;
}
.card-note {
  color: #909399;
}
</style>
`

/** The variable parts of pages, used in rotation. The first one is a home page. */
const kinds: readonly { template: string; script: string }[] = [
  {
    template: `<image class="picture" src="/static/picture.png" mode="aspectFill" />
    <navigator url="/pages/page2/page2?id=2" class="note">More</navigator>`,
    script: `const greet = () => uni.showToast({ title: 'Hello', icon: 'none' })`,
  },
  {
    template: `<input v-model="text" class="field" placeholder="Name" />`,
    script: `const text = ref('')
const greet = () => uni.setStorageSync('name', text.value)`,
  },
  {
    template: `<view class="strip"><text v-for="n in 20" :key="n">Entry {{ n }}</text></view>`,
    script: `const greet = () => uni.setNavigationBarTitle({ title: 'Changed' })`,
  },
]

const page = (index: number) => `<script setup>
import { computed, ref } from 'vue'
import { onLoad, onReady } from '@dcloudio/uni-app'

const id = ref('')
const list = ref(Array.from({ length: 8 }, (_, n) => ({ id: n, title: 'Item ' + n, done: n % 2 === 0 })))
const open = computed(() => list.value.filter((item) => !item.done).length)

onLoad((query) => {
  id.value = query.id || ''
})
onReady(() => {
  window.readyPage = ${index}
  window.readyAt = performance.now()
})

// Used by the bench, because releases of the peer have no global \`uni\`.
window.navigate = (url) => uni.navigateTo({ url })
window.leave = () => uni.navigateBack()

function toggle(item) {
  item.done = !item.done
}
${kinds[index % kinds.length]!.script}
function next() {
  greet()
  uni.navigateTo({ url: '/${pathOf(index)}?id=' + (${index} + 1) })
}
</script>

<template>
  <view class="page page-${index}">
    <text class="title">${textOf(index)}</text>
    <text v-if="id" class="note">opened with {{ id }}</text>
    <item-card title="Open" :note="open + ' of ' + list.length">
      <view v-for="item in list" :key="item.id" class="row" :class="{ done: item.done }" @tap="toggle(item)">
        <text class="row-title">{{ item.title }}</text>
        <text class="row-state">{{ item.done ? 'done' : 'open' }}</text>
      </view>
    </item-card>
    ${kinds[index % kinds.length]!.template}
    <button type="primary" class="next" @tap="next">Next</button>
  </view>
</template>

<style scoped>
.page {
  padding: 24rpx;
}
.title {
  display: block;
  font-size: 40rpx;
  margin-bottom: ${10 + (index % 20)}rpx;
}
.note {
  color: #909399;
}
.row {
  display: flex;
  justify-content: space-between;
  padding: 16rpx 0;
  border-bottom: 1rpx solid #ebeef5;
}
.row.done .row-title {
  color: #c0c4cc;
  text-decoration: line-through;
}
.next {
  margin-top: 32rpx;
}
.picture {
  width: 702rpx;
  height: 240rpx;
}
.strip {
  white-space: nowrap;
}
.field {
  padding: 16rpx;
  border: 1rpx solid #dcdfe6;
}
</style>
`
