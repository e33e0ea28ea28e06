import { expect, test } from 'vitest'
import { rawApp } from '../bridge/fixture.ts'
import {
  builtMiniApp,
  enterMiniApp,
  frameOf,
  hostPage,
  manage,
  neu,
  newUser,
  openShop,
  serverUrl,
  useOwnServer,
} from './fixture.ts'

/** Returns the URL of another site on this machine, which browsers trust without encryption. */
const miniAppsUrl = (port: string | number) => `http://mini.localhost:${port}`
useOwnServer((port) => ({
  SOUK_PUBLIC_URL: `http://souk.localhost:${port}`,
  SOUK_MINI_APPS_URL: miniAppsUrl(port),
}))

// biome-ignore lint/suspicious/noExplicitAny: defined by the mini app
declare const ask: any

const releasesOrigin = () => miniAppsUrl(new URL(serverUrl()).port)

test('a mini app runs from the second host, with bars, login and storage of the first', async () => {
  const shop = await openShop('Own Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const page = await hostPage(await newUser('Noura'))
  const frame = await enterMiniApp(page, shop)
  expect(new URL(page.url()).hostname).toBe('souk.localhost')
  expect(new URL(frame.url()).origin).toBe(releasesOrigin())
  expect(await neu(frame, 'login')).toMatchObject({ code: expect.any(String) })
  await page.getByRole('heading', { name: 'Old Town Bakery' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('a mini app on the second host cannot leave its release', async () => {
  const shop = await openShop('Leaving Bakery')
  const { 'souk-app.json': manifest } = await builtMiniApp()
  const thief = rawApp.replace('</script>', ";ask(1, 'login', {}).then(() => { document.title = 'stolen' })</script>")
  const other = await shop.upload('2.0.0', { 'souk-app.json': manifest!, 'index.html': thief }, false)
  const page = await hostPage(await newUser('Noura'))
  for (const [version, address] of [
    ['1.0.0', `/mini/${shop.appid}/${other}/`],
    ['1.1.0', 'https://foreign.example/'],
  ] as const) {
    await shop.upload(version, {
      'souk-app.json': manifest!,
      'index.html': `<!doctype html><script>location.replace(${JSON.stringify(address)})</script>`,
    })
    await page.goto(`apps/${shop.appid}`)
    await page
      .getByRole('alert')
      .getByText(/navigated to another page|did not start/)
      .waitFor()
    expect(page.frames()).toHaveLength(1)
  }
  // The same document opened by the host gets a code.
  await shop.upload('3.0.0', { 'souk-app.json': manifest!, 'index.html': thief })
  await page.goto(`apps/${shop.appid}`)
  await expect.poll(async () => (await frameOf(page, shop)).title()).toBe('stolen')
})

test('the second host serves releases only, and no other host serves them', async () => {
  const shop = await openShop('Plain Bakery')
  const releaseId = await shop.upload('1.0.0', await builtMiniApp())
  const file = `/mini/${shop.appid}/${releaseId}/souk-app.json`
  const status = async (host: string, path: string) => {
    const page = await hostPage(await newUser('Noura'))
    return (await page.goto(`http://${host}:${new URL(serverUrl()).port}${path}`))!.status()
  }
  expect(await status('mini.localhost', file)).toBe(200)
  expect(await status('souk.localhost', file)).toBe(404)
  for (const path of [
    '/host/',
    '/console/',
    '/host/v1/apps',
    '/neuopenapi/oauth/mini/user/info',
    '/web-view',
    '/files/x',
  ])
    expect([path, await status('mini.localhost', path)]).toEqual([path, 404])
  const [release] = await manage<{ url: string }[]>('GET', `apps/${shop.appid}/releases`)
  expect(release!.url).toBe(`${releasesOrigin()}/mini/${shop.appid}/${releaseId}/`)
})
