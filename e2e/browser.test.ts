import { expect, test } from 'vitest'
import { lendPage } from './browser.ts'

/** Options that no other file has, so that it does not take a page of this one. */
const options = { viewport: { width: 390, height: 700 }, userAgent: 'Lent' }

test('a page is lent again, unless a test has installed a clock, for which later tests would wait', async () => {
  const first = await lendPage(options)
  await first.giveBack()
  const second = await lendPage(options)
  expect(second.page).toBe(first.page)
  await second.page.clock.install()
  await second.page.goto('about:blank')
  await second.page.clock.pauseAt(Date.now() + 60_000)
  await second.giveBack()
  const third = await lendPage(options)
  expect(third.page).not.toBe(first.page)
  await third.page.evaluate(() => new Promise((done) => setTimeout(done, 1)))
})
