import { expect, onTestFinished, test } from 'vitest'
import { type Replay, serve } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { pagesOf, projectOf } from './project.ts'

const browser = withBrowser()

test('a mini app gets storage, first page, calls and requests from a recording', async () => {
  const page = (content: string) => `<template><view><text id="shown">{{ shown }}</text></view></template>
<script setup>
import { ref } from 'vue'
const shown = ref('')
const show = async (name, run) => { shown.value += name + ':' + await run().then((it) => it, (it) => it.errMsg) + ' ' }
const upload = () => neu.uploadFile({ url: 'https://api.example/photos', files: [{ name: 'a', file: new File(['tea'], 'a.txt') }] })
;(async () => {
  ${content}
  shown.value += 'end'
})()
</script>`
  const project = await projectOf({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'static/own.txt': 'own file',
    'pages/b/b.vue': page(`
  shown.value += 'storage:' + neu.getStorageSync('size') + ' '
  await show('modal', () => neu.showModal({ title: 'Sure?' }).then((it) => it.confirm))
  await show('login', () => neu.login({}))
  await show('menu', () => neu.request({ url: 'https://api.example/menu' }).then((it) => it.statusCode + '-' + it.data.tea + it.header['x-cup']))
  await show('order', () => neu.request({ url: 'https://api.example/orders', method: 'POST', data: { drink: 'tea' } }))
  await show('down', () => neu.request({ url: 'https://api.example/down' }))
  await show('photo', () => upload().then((it) => it.statusCode + it.data))
  await show('own', () => fetch('./static/own.txt').then((it) => it.text()))
  neu.setStorageSync('size', 'S')
  neu.showToast({ title: 'Ready' })`),
  })
  const asked: unknown[] = []
  let launches = 0
  const replay: Replay = {
    start: { path: 'pages/b/b', query: {} },
    launch: () => {
      launches++
      return { storage: [['size', JSON.stringify('L')]], start: { path: 'pages/b/b', query: {} } }
    },
    call: async (method, params) => {
      asked.push([method, Object.keys(params as object).length > 0])
      if (method === 'showModal') return { result: { confirm: true, cancel: false } }
      return { errMsg: `${method}:fail the recording does not contain ${method}({})` }
    },
    request: async (request) => {
      asked.push(request)
      if (request.url.endsWith('/menu'))
        return {
          status: 203,
          headers: [
            ['content-type', 'application/json'],
            ['x-cup', 'L'],
          ],
          body: '{"tea":7}',
        }
      if (request.url.endsWith('/photos')) return { status: 201, headers: [], body: 'kept' }
      if (request.url.endsWith('/down')) return { status: 0, headers: [], body: '', error: 'TypeError: offline' }
      return { missing: 'the recording does not contain POST' }
    },
  }
  const { urls, close } = await serve({ platform: 'App', project, replay })
  const opened = await browser().newPage({ viewport: { width: 1000, height: 800 } })
  onTestFinished(async () => {
    await opened.close()
    await close()
  })
  await opened.goto(urls[0]!)
  const shown = opened.frameLocator('iframe').locator('#shown')
  await expect.poll(() => shown.innerText(), { timeout: 60_000 }).toMatch(/end$/)
  const text = await shown.innerText()
  expect(text).toContain('storage:L modal:true login:login:fail the recording does not contain login({}) menu:203-7L ')
  expect(text).toMatch(/order:request:fail .*the recording does not contain POST/)
  expect(text).toMatch(/down:request:fail .*offline/)
  expect(text).toContain('own:own file')
  expect(text).toContain('photo:201kept')
  await opened.getByText('Ready').waitFor()
  expect(asked).toEqual([
    ['showModal', true],
    ['login', false],
    { method: 'GET', url: 'https://api.example/menu' },
    { method: 'POST', url: 'https://api.example/orders', body: '{"drink":"tea"}' },
    { method: 'GET', url: 'https://api.example/down' },
    { method: 'POST', url: 'https://api.example/photos', body: 'a: (a.txt, 3 bytes)' },
  ])
  expect(launches).toBe(1)
  await opened.getByRole('button', { name: 'Restart' }).click()
  await expect.poll(() => launches).toBe(2)
})
