import { Souk } from '@souk/sdk'
import { expect, inject, test } from 'vitest'
import { consoleCall, hostCall } from './calls.ts'
import { consolePage, faults, picture, settled } from './console.ts'

const { url } = inject('fixture')

test('an archived mini app has its name in every list', async () => {
  const name = 'Autumn Tea'
  const { projectId } = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Closed Stalls' })
  const app = await consoleCall<{ appid: string; secret: string }>('POST', '/apps', { projectId, name })
  const { appid } = app
  const capabilities = ['login', 'payment', 'notification', 'activity']
  await consoleCall('PATCH', `/apps/${appid}`, { capabilities, merchantName: name })
  const souk = new Souk({ baseUrl: url, ...app })
  const { uid } = await consoleCall<{ uid: number }>('POST', '/sandbox/users', { nickname: 'Huda' })
  const { code } = await consoleCall<{ code: string }>('POST', '/sandbox/codes', { appid, uid })
  const { accessToken } = await souk.accessToken({ code, scope: 'user.info' })
  const { openId } = await souk.userInfo(accessToken)
  const order = { description: 'Tea', notifyUrl: `${url}/nope`, amount: 1250, currency: 'SAR', openId } as const
  for (const outTradeNo of ['autumn-1', 'autumn-2']) {
    const { tradeNo } = await souk.trade({ outTradeNo, ...order })
    await consoleCall('POST', '/sandbox/payments', { tradeNo, uid, outcome: 'succeeded' })
  }
  const text = { language: 'en_US', title: 'Leaves fall', text: 'Warm tea until Friday.' }
  await consoleCall('POST', `/apps/${appid}/notifications`, { uids: [uid], ...text, navigateType: '1' })
  await consoleCall('POST', `/apps/${appid}/activities`, {
    ...text,
    uids: [uid],
    activityId: 'autumn',
    color: '0B6B63',
    templateId: 'standard',
    iconUrl: `${url}/console/favicon.svg`,
    path: 'pages/index/index',
    status: 1,
    validityTime: 604_800,
  })
  const { session } = await hostCall<{ session: string }>('POST', '/sessions', { uid })
  await hostCall('POST', `/apps/${appid}/feedback`, { kind: 'idea', text: 'More leaves.' }, session)
  await consoleCall('POST', `/apps/${appid}/archive`, {})

  const page = await consolePage()
  const lists = ['', '/trades', '/callbacks', '/requests', '/money', '/messages', '/feedback']
  for (const list of lists) {
    await page.goto(`projects/${projectId}${list}`)
    await settled(page)
    const main = page.getByRole('main')
    await main.getByText(name).first().waitFor()
    expect([list, await main.getByText(appid).count()]).toEqual([list, 0])
    await picture(page, `archived-app${list.replace('/', '-')}.en.light.desktop`)
    expect(await faults(page)).toEqual([])
  }
  await page.goto(`projects/${projectId}/requests`)
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor()
})
