import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleCall } from './calls.ts'
import {
  choose,
  consolePage,
  faults,
  faultsOfPages,
  focused,
  openMenu,
  otherLooks,
  picture,
  settled,
} from './console.ts'

let backend: Server
let url: string
let status = 204
const received: { headers: Record<string, string>; body: string }[] = []

const isTest = ({ body }: { body: string }) => JSON.parse(body).type === 'endpoint.tested'

beforeAll(async () => {
  backend = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers as Record<string, string>, body })
    // Tests of other files cause events, too.
    response.writeHead(isTest({ body }) ? status : 204).end()
  })
  await new Promise<void>((done) => backend.listen(0, '127.0.0.1', done))
  url = `http://localhost:${(backend.address() as AddressInfo).port}/souk`
})
afterAll(() => void backend.close())

test('an administrator adds, tests, disables, rotates and removes an endpoint, and replays its events', async () => {
  const page = await consolePage()
  await page.goto('platform?view=messages')
  await settled(page)
  const section = page.getByRole('region', { name: 'Events' })
  const dialog = page.getByRole('dialog')
  await section.getByRole('button', { name: 'Add endpoint' }).click()
  await dialog.getByLabel('URL').fill('http://backend.example/souk')
  await picture(page, 'events-endpoint.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await dialog.getByRole('alert').getByText('event_url_refused').waitFor()
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByLabel('Description').fill('Push service')
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = (await dialog.getByText(/^whsec_/).textContent())!.trim()
  await dialog.getByRole('button', { name: 'Close' }).click()

  const row = section.getByRole('row').filter({ hasText: url })
  await row.getByText('Enabled', { exact: true }).waitFor()
  const act = async (action: string) => {
    await row.getByRole('button', { name: `Actions for ${url}` }).click()
    await openMenu(page).getByText(action, { exact: true }).click()
    await page.getByRole('menu', { name: `Actions for ${url}` }).waitFor({ state: 'hidden' })
  }
  await act('Send test')
  await page.getByText('The endpoint acknowledged the test').first().waitFor()
  const { headers, body } = received.find(isTest)!
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'endpoint.tested' })

  await act('Rotate secret')
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  expect(await dialog.getByText(/^whsec_/).textContent()).not.toContain(secret)
  await dialog.getByRole('button', { name: 'Close' }).click()

  status = 410
  await act('Send test')
  await row.getByText('Gone', { exact: true }).waitFor()
  await picture(page, 'events.en.light.desktop')
  for (const look of otherLooks) expect(await faultsOfPages(look, { events: 'platform?view=messages' })).toEqual({})
  await act('Enable')
  await choose(page, 'Send again', 'Nothing')
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await row.getByText('Enabled', { exact: true }).waitFor()

  status = 204
  await row.getByRole('link', { name: url }).click()
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByText('Failed').waitFor()
  await settled(page)
  await picture(page, 'event-deliveries.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await deliveries.getByRole('row').filter({ hasText: 'Failed' }).getByRole('button').click()
  await dialog.getByText('HTTP 410').waitFor()
  await dialog.getByText('"type": "endpoint.tested"').waitFor()
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await dialog.getByText('HTTP 204').waitFor()
  await picture(page, 'event-delivery.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await deliveries.getByText('Failed').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Resend failed events' }).click()
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('Events being resent: 0').first().waitFor()

  status = 500
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('The endpoint did not acknowledge the test: HTTP 500').first().waitFor()

  await page.goto('platform?view=messages')
  await act('Disable')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Disabled', { exact: true }).waitFor()
  await act('Remove')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
})

test('editing an endpoint keeps what others have changed', async () => {
  const { endpointId } = await consoleCall<{ endpointId: string }>('POST', '/event-endpoints', {
    url: `${url}/shared`,
    types: ['user.erased'],
  })
  const page = await consolePage()
  await page.goto('platform?view=messages')
  const name = `Actions for ${url}/shared`
  await page.getByRole('button', { name }).click()
  await openMenu(page).getByText('Edit', { exact: true }).click()
  await consoleCall('PATCH', `/event-endpoints/${endpointId}`, { types: ['alert.raised'] })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').and(focused(page)).waitFor()
  await dialog.getByLabel('Description').fill('Push service')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await consoleCall('GET', '/event-endpoints')).toContainEqual(
    expect.objectContaining({ endpointId, description: 'Push service', types: ['alert.raised'] }),
  )
  await consoleCall('DELETE', `/event-endpoints/${endpointId}`)
})
