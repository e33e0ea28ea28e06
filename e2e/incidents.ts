import type { Page } from 'playwright-core'
import { inject } from 'vitest'

/** Adds a host that acknowledges no callback to the incidents of the page: other tests resend those of the fixture. */
export async function addFailingReceiver(page: Page): Promise<void> {
  await page.route('**/console/v1/projects/*/incidents', async (route) => {
    const response = await route.fetch()
    const since = Date.now()
    const receiver = {
      host: 'pay.example.com',
      since,
      receivers: [{ appid: inject('fixture').appid, failingSince: since, disabled: false }],
      callbacks: 1,
      states: ['pending'],
      oldest: since,
      paid: [{ currency: 'SAR', amount: 2500 }],
    }
    await route.fulfill({ response, json: { ...(await response.json()), receivers: [receiver] } })
  })
}
