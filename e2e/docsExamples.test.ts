import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { release } from '@souk/vite-plugin'
import type { Frame } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { examples, examplesFolder } from '../apps/docs/.vitepress/reference/examples.ts'
import { runsInPhone } from '../apps/docs/.vitepress/reference/functions.ts'
import { availableFunctions } from '../packages/runtime/src/neu/table/index.ts'
import { faults, layoutShift, maxLayoutShift, misfits, picture, type WatchedPage, watchedPage } from './console.ts'

const { url } = inject('fixture')

/** Examples that are opened by themselves. Pages in `more` are opened by others. */
const opened = examples.filter(({ path, isPage }) => isPage && !path.startsWith('pages/more/'))

/** Returns whether the phone runs an example. */
function inPhone({ path }: { path: string }): boolean {
  const [, folder, name] = path.split('/')
  const entry = folder === 'neu' && availableFunctions[name!]
  return !entry || runsInPhone(entry)
}

type Neu = Record<string, (options?: object) => Promise<unknown>>

/** Opens a page of the reference and runs its example. Returns the page and its frame. */
async function run(path: string, look: Parameters<typeof watchedPage>[0] = {}): Promise<[WatchedPage, Frame]> {
  const page = await watchedPage(look, `${url}/docs/`, {})
  await page.goto(path)
  await page.getByRole('button', { name: 'Run the example' }).click()
  return [page, await frameOf(page)]
}

/** Returns the frame of the phone after its page is drawn. */
async function frameOf(page: WatchedPage): Promise<Frame> {
  const element = await page.waitForSelector('.example-phone iframe')
  const frame = (await element.contentFrame())!
  await frame.waitForSelector('neu-page-window:not([inert]) neu-page')
  return frame
}

test('an example runs in the phone of its page by a tap, and moves nothing', async () => {
  const [page, frame] = await run('neu/showModal')
  await frame.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('dialog', { name: 'Cancel the order?' }).getByRole('button', { name: 'Cancel it' }).click()
  await frame.getByText('Canceled').waitFor()
  expect(await layoutShift(page)).toBeLessThanOrEqual(maxLayoutShift)
  await picture(page, 'docs-example.en.light.desktop')
  expect(await faults(page)).toEqual([])

  const [phone, tag] = await run('tags/switch', { scheme: 'dark', device: 'phone' })
  await tag.getByRole('switch', { name: 'With milk' }).click()
  await tag.getByText('Black').waitFor()
  await picture(phone, 'docs-example.en.dark.phone')
  expect(await faults(phone)).toEqual([])
})

test('a phone is offered in the language of a reader who opens a page in English', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  await page.goto('zh/guides/start')
  await page.locator('html[lang=zh-CN]').waitFor()
  await page.waitForFunction(() => sessionStorage.getItem('souk-docs-language') === 'zh')
  await page.goto('neu/showToast')
  await page.getByRole('button', { name: '运行示例', disabled: false }).waitFor()
  expect(await misfits(page)).toEqual([])
})

test('a page of the reference loads no phone before the tap', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('neu/scanCode', { waitUntil: 'networkidle' })
  expect(requested.filter((path) => /examples\/|RunningExample/.test(path))).toEqual([])
})

test('all examples run: each button can be tapped, and no error stays uncaught', async () => {
  const [page, first] = await run('neu/showToast')
  let frame = first
  for (const { path } of opened.filter(inPhone)) {
    await frame.evaluate((address) => (window as unknown as { uni: Neu }).uni.reLaunch!({ url: address }), `/${path}`)
    await frame.waitForSelector(`neu-page-window:not([inert]) neu-page[data-page="${path}"]`)
    // A map is loaded after its page, and has a context since.
    await frame.waitForFunction(() => [...document.querySelectorAll('neu-map')].every((map) => 'context' in map))
    await frame.evaluate(() => {
      const buttons = document.querySelectorAll<HTMLElement>('neu-page-window:not([inert]) neu-button')
      for (const button of buttons) button.click()
    })
    // What controls maps is loaded at its first call, and would not find the map of a page that was left.
    if (path.endsWith('createMapContext')) await frame.getByText(/ at 14$/).waitFor()
    // An example may leave the mini app, which then starts again.
    frame = await frameOf(page)
    await frame
      .evaluate(async () => {
        const { uni } = window as unknown as { uni: Neu }
        for (const close of ['hideModal', 'hideActionSheet', 'closePreviewImage', 'hideToast']) await uni[close]!()
      })
      .catch(async () => {
        frame = await frameOf(page)
      })
    const errors = (await misfits(page)).filter((text) => !text.includes('shop.example'))
    expect(errors, path).toEqual([])
  }
})

test('the examples that need the window of a browser run on H5', async () => {
  const out = await mkdtemp(join(tmpdir(), 'souk-examples-'))
  onTestFinished(() => rm(out, { recursive: true }))
  const { folder } = await release({ project: examplesFolder, platform: 'H5', out: join(out, 'h5') })
  const page = await watchedPage({}, 'http://shop.example/', {})
  await page.route('http://shop.example/**', (route) => {
    const path = new URL(route.request().url()).pathname
    return route.fulfill({ path: join(folder, path === '/' ? 'index.html' : path) })
  })
  const paths = opened.filter((example) => !inPhone(example)).map(({ path }) => path)
  expect(paths).toEqual(['pages/neu/showTopWindow'])

  await page.goto(`/#/${paths[0]}`)
  for (const side of ['top', 'left', 'right']) {
    const sideWindow = page.getByText(`The ${side} window`, { exact: true })
    await page.getByRole('button', { name: `Show the ${side} window` }).click()
    await sideWindow.waitFor()
    await page.getByRole('button', { name: `Hide the ${side} window` }).click()
    await sideWindow.waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'Change their sizes' }).click()
  await page.getByText('320').waitFor()
  expect(await misfits(page)).toEqual([])
})
