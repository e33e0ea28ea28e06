import { expect, test } from 'vitest'
import { browserPage, builtMiniApp, manage, openShop, serverUrl, useOwnServer } from './fixture.ts'

useOwnServer(() => ({ SOUK_ENVIRONMENT: 'live' }))

test('in a live installation a release reaches approved hosts only, whatever its code does', async () => {
  const shop = await openShop('Strict Bakery')
  const domains = { request: ['api.bakery.example'], webView: ['www.bakery.example'], download: ['*.cdn.example'] }
  await manage('PATCH', `apps/${shop.appid}`, { domains })
  const { items } = await manage<{ items: { changeId: string }[] }>('GET', `change-requests?appid=${shop.appid}`)
  for (const { changeId } of items) await manage('POST', `change-requests/${changeId}/approve`, {})
  const { 'souk-app.json': manifest } = await builtMiniApp()
  const releaseId = await shop.upload('1.0.0', { 'souk-app.json': manifest!, 'index.html': '<!doctype html>' }, false)
  const page = await browserPage()
  const reached: string[] = []
  await page.context().route(/\.example\//, (route) => {
    reached.push(new URL(route.request().url()).host)
    return route.fulfill({ body: '', headers: { 'access-control-allow-origin': '*' } })
  })
  await page.goto(`${serverUrl()}/mini/${shop.appid}/${releaseId}/`)
  await page.evaluate(async () => {
    const load = (tag: 'img' | 'iframe', src: string) =>
      new Promise((resolve) => {
        const element = Object.assign(document.createElement(tag), { src, onload: resolve, onerror: resolve })
        document.body.append(element)
      })
    for (const name of ['evil.example', 'api.bakery.example', 'a.cdn.example', 'www.bakery.example']) {
      await fetch(`https://${name}/`).catch(() => {})
      await load('img', `https://${name}/a.png`)
      await load('iframe', `https://${name}/`)
      navigator.sendBeacon(`https://${name}/`)
    }
  })
  expect([...new Set(reached)].sort()).toEqual(['a.cdn.example', 'api.bakery.example', 'www.bakery.example'])
})
