import type { Frame } from 'playwright-core'
import { expect, test } from 'vitest'
import { faults } from '../console.ts'
import { pressEscape, takesInput } from '../hostQuestion.ts'
import { builtMiniApp, hostPage, neu, newUser, openMiniApp, openShop, started } from './fixture.ts'

const launchOptions = async (frame: Frame) => JSON.parse(await frame.locator('#launch').innerText())
const item = 'pages/item/item'

test('a card that a page shares arrives at another mock user, opens the page with its data, and is counted', async () => {
  const shop = await openShop('Card Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const layla = await newUser('Layla of the cards')
  const theirs = await hostPage(await newUser('Omar of the cards'))
  await theirs.goto(`chat/${layla}`)
  await theirs.getByText('No cards yet').waitFor()

  const page = await hostPage(layla)
  const frame = await openMiniApp(page, shop, `?page=${encodeURIComponent(`${item}?id=12`)}`)
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Share Card Bakery' })
  await sheet.getByText('Date cake 12').waitFor()
  await takesInput(page)
  expect(await faults(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Omar of the cards' }).click()
  await page.getByText('Sent to Omar of the cards').waitFor()

  const card = theirs.getByRole('link', { name: 'Date cake 12' })
  await card.locator(`img[src*="/mini/${shop.appid}/"]`).waitFor()
  expect(await faults(theirs)).toEqual([])
  const reported: object[] = []
  theirs.on('request', (request) => {
    if (request.url().endsWith(`/host/v1/apps/${shop.appid}/analytics`)) reported.push(...request.postDataJSON().events)
  })
  await card.click()
  const opened = await started(theirs, shop)
  await opened.getByText('Cake 12').waitFor()
  expect(await launchOptions(opened)).toMatchObject({
    path: item,
    query: { id: '12' },
    scene: 1007,
    referrerInfo: { extraData: { from: 'menu' } },
  })
  expect(new URL(theirs.url()).search).toBe('')
  await theirs.evaluate(() => dispatchEvent(new Event('pagehide')))
  await expect.poll(() => reported).toContainEqual({ kind: 'card', page: item, age: expect.any(Number) })

  await frame.getByText('Share this cake').click()
  await sheet.getByText('Date cake 12').waitFor()
  await pressEscape(page)
  await sheet.waitFor({ state: 'detached' })
  const message = neu(frame, 'shareMiniAppMessage', { title: 'Two cakes' })
  await sheet.getByText('Two cakes').waitFor()
  await pressEscape(page)
  expect(await message).toBe('shareMiniAppMessage:fail cancel')
})
