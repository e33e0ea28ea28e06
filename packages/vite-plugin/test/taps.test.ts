import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { pagesOf, projectOf } from './project.ts'

/** An entry of the inspector. */
interface Reported {
  kind: string
  target?: string
}

const browser = withBrowser()

test('an inspected mini app reports taps on its page, by elements and positions', async () => {
  const project = await projectOf({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<template>
<view><view>Menu</view><view><text>Latte</text><text @tap="name = 'Sara'">Order {{ name }}</text></view></view>
</template>
<script setup>
import { ref } from 'vue'
const name = ref('nothing')
</script>`,
  })
  const { urls, close } = await serve({ platform: 'App', project })
  const page = await browser().newPage({ viewport: { width: 1000, height: 800 } })
  onTestFinished(async () => {
    await page.close()
    await close()
  })
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    const reported: unknown[] = []
    Object.assign(globalThis, { reported })
    MessagePort.prototype.postMessage = function (data: { entries?: unknown[] }, more?: object) {
      reported.push(...(data.entries ?? []))
      return postMessage.call(this, data, more as StructuredSerializeOptions)
    }
  })
  await page.goto(urls[0]!)
  await page.getByRole('button', { name: 'Inspector' }).click()
  const frame = page.frame({ url: /index\.html/ })!
  const reported = () => frame.evaluate(() => (globalThis as unknown as { reported: Reported[] }).reported)
  await expect.poll(async () => (await reported()).some(({ kind }) => kind === 'pages')).toBe(true)
  await frame.getByText('Order nothing').click()
  await frame.getByText('Order Sara').waitFor()
  await expect.poll(async () => (await reported()).filter(({ kind }) => kind === 'tap')).toHaveLength(1)
  const tap = (await reported()).find((entry) => entry.kind === 'tap')!
  expect(tap).toEqual({ kind: 'tap', time: expect.any(Number), page: 'pages/a/a', target: expect.any(String) })
  expect(await frame.locator(`neu-page > ${tap.target}`).innerText()).toBe('Order Sara')
  expect(tap.target).not.toMatch(/Order|Sara/)
})
