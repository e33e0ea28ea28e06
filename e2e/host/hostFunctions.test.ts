import { expect, test } from 'vitest'
import { callHost, hostPage, manage, newUser, openMiniApp, openShop, started, submitWithFunctions } from './fixture.ts'

test('a declared function: asked for in a release, granted in its review, called with a question', async () => {
  const shop = await openShop('Oasis Bakery')
  const first = await submitWithFunctions(shop, '1.0.0')
  const detail = await manage<{ hostFunctions: object }>('GET', `apps/${shop.appid}/releases/${first.releaseId}/review`)
  expect(detail.hostFunctions).toEqual({ requested: ['loyaltyCard'], granted: [] })
  await manage('POST', `reviews/${first.reviewId}/approve`, {})
  await manage('POST', `apps/${shop.appid}/releases/${first.releaseId}/publish`, {})
  const page = await hostPage(await newUser('Noura'))
  const refused = await openMiniApp(page, shop)
  const tea = { program: 'tea' }
  expect(await callHost(refused, 'loyaltyCard', tea)).toMatch(/^host\.loyaltyCard:fail the mini app may not call it/)

  const second = await submitWithFunctions(shop, '1.1.0')
  await manage('POST', `reviews/${second.reviewId}/approve`, { hostFunctions: ['loyaltyCard'] })
  await manage('POST', `apps/${shop.appid}/releases/${second.releaseId}/publish`, {})
  await page.reload()
  const frame = await started(page, shop)
  const call = (input: object) => callHost(frame, 'loyaltyCard', input)
  // Neither asks the user.
  expect(await call({ program: 17 })).toMatch(/^host\.loyaltyCard:fail input\.program: /)
  expect(await callHost(frame, 'bookTaxi', {})).toBe('host.bookTaxi:fail it is not in host-functions.json')

  const question = page.locator('[data-question="hostFunction"]')
  const denied = call(tea)
  await question.getByText('May it see the number of your loyalty card?').waitFor()
  await question.getByRole('button', { name: 'Deny' }).click()
  expect(await denied).toBe('host.loyaltyCard:fail the user refused')

  /** Allows the call, and chooses how the sandbox answers. */
  async function answered(choice: string | RegExp): Promise<unknown> {
    const outcome = call(tea)
    await question.getByRole('button', { name: 'Allow' }).click()
    await page.locator('.neu-overlays').getByRole('button', { name: choice }).click()
    return outcome
  }
  expect(await answered('{"number":"4711"}')).toEqual({ number: '4711' })
  expect(await answered(/^noCard/)).toBe('host.loyaltyCard:fail noCard')
  expect(await answered(/^cardBlocked/)).toBe('host.loyaltyCard:fail cardBlocked')
  expect(await answered('Cancel')).toBe('host.loyaltyCard:fail cancel')

  await manage('DELETE', `host-functions/loyaltyCard/grants/${shop.appid}`)
  expect(await call(tea)).toMatch(/^host\.loyaltyCard:fail the mini app may not call it/)
})
