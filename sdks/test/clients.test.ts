import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Sandbox, soukSandbox } from '@souk/conformance'
import { minute } from '@souk/contract'
import { Souk } from '@souk/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../../apps/server/test/souk.ts'
import { type Driver, startDriver } from './driver.ts'
import { type FaultyProxy, startFaultyProxy } from './faultyProxy.ts'
import { languages } from './languages.ts'

/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.each(languages)('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'against Souk' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let souk: TestSouk
      let sandbox: Sandbox
      let proxy: FaultyProxy
      let folder: string
      let client: Driver
      let settings: Record<string, string>
      let app: { appid: string; secret: string }
      let projectId: string
      let uid: number
      let openId: string
      let orders = 0
      const order = () => ({
        outTradeNo: `${language.name}-${++orders}`,
        notifyUrl: 'http://127.0.0.1:9/paid',
        amount: 1250,
        currency: 'SAR',
        openId,
      })

      beforeAll(async () => {
        souk = await startTestSouk()
        sandbox = soukSandbox(souk.url, souk.adminToken)
        const owner = await souk.setUp()
        projectId = (await owner.call('POST', '/console/v1/projects', { name: 'Teas' })).body.projectId
        app = (await owner.call('POST', '/console/v1/apps', { name: 'Tea House', projectId })).body
        uid = await sandbox.createUser({ nickname: 'ليلى & 莉拉 +1' })
        proxy = await startFaultyProxy(souk.url)
        folder = await mkdtemp(join(tmpdir(), 'souk-sdk-'))
        settings = { SOUK_URL: proxy.url, SOUK_APPID: app.appid, SOUK_SECRET: app.secret }
        const { key } = (await owner.call('POST', '/console/v1/api-key/show', {})).body
        client = startDriver(language.driver(folder), { ...settings, SOUK_API_KEY: key })
        const { accessToken } = await ok('accessToken', { code: await sandbox.createCode(app.appid, uid) })
        openId = (await ok('userInfo', { accessToken })).openId
      })
      afterAll(async () => {
        await client?.close()
        await proxy?.close()
        await souk?.stop()
        await rm(folder, { recursive: true, force: true })
      })
      afterEach(() => {
        proxy.faults.length = 0
        proxy.seen.length = 0
      })

      /** Calls an operation that succeeds. */
      async function ok(name: string, parameters: object) {
        const { result, error } = await client.call(name, parameters)
        expect(error).toBeUndefined()
        return result
      }

      /** Calls an operation that fails. */
      async function refused(name: string, parameters: object) {
        const { error } = await client.call(name, parameters)
        expect(error).toBeDefined()
        return error!
      }

      const sentParameter = (name: string) => proxy.seen.map(({ parameters }) => parameters[name])

      test('passes its own tests', () => {
        expect(() => language.test()).not.toThrow()
      })

      test('runs the program of its README', async () => {
        const readme = await readFile(join(import.meta.dirname, '..', language.folder, 'README.md'), 'utf8')
        const [, program = ''] = /^```(?:python|go|java|php)\n(.*?)^```$/ms.exec(readme) ?? []
        const { command, args, cwd, env } = language.walkthrough(await mkdtemp(join(folder, 'shop-')), program)
        const code = await sandbox.createCode(app.appid, uid, 'user.info')
        const shop = spawn(command, [...args, code], {
          cwd,
          env: { PATH: process.env.PATH, ...env, ...settings },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        const lines = createInterface(shop.stdout)[Symbol.asyncIterator]()
        const tradeNo = String((await lines.next()).value)
        expect(tradeNo).toMatch(/^[0-9a-f]{32}$/)
        await sandbox.pay({ tradeNo, uid })
        expect((await lines.next()).value).toBe('paid 12.50 SAR')
        expect(await new Promise((resolve) => shop.once('exit', resolve))).toBe(0)
        expect((await sandbox.inbox(uid))[0]).toMatchObject({ title: 'Paid' })
      })

      test('exchanges a code, and reads the profile with its nulls', async () => {
        const code = await sandbox.createCode(app.appid, uid, 'user.info')
        const token = await ok('accessToken', { code, scope: 'user.info' })
        expect(token).toMatchObject({ tokenType: 'bearer', expire: expect.any(Number) })
        const profile = await ok('userInfo', { accessToken: token.accessToken })
        expect(profile).toMatchObject({ openId, nickName: 'ليلى & 莉拉 +1' })
        expect(profile.phone ?? null).toBeNull()
      })

      test('sends the scope, which is required, of codes without one', async () => {
        for (const scope of [undefined, 'user.phone']) await refused('accessToken', { code: 'a', scope })
        expect(sentParameter('scope')).toEqual(['user.info', 'user.phone'])
      })

      test('creates, queries, pays and closes trades', async () => {
        const { tradeNo, outTradeNo } = await ok('trade', {
          ...order(),
          description: 'Tea & cake, 50 % off + مرحبا 🍵',
        })
        expect(await ok('tradedetail', { tradeNo })).toMatchObject({
          tradeNo,
          outTradeNo,
          description: 'Tea & cake, 50 % off + مرحبا 🍵',
          amount: 1250,
          amountStrWithYuan: '12.50',
          transactionStatus: 1,
          failReasonType: -1,
        })
        const waiting = client.call('waitForTrade', { tradeNo })
        await expect.poll(() => proxy.seen.length).toBeGreaterThan(2)
        await sandbox.pay({ tradeNo, uid })
        expect((await waiting).result).toMatchObject({ tradeNo, transactionStatus: 2 })

        const other = await ok('trade', order())
        expect(await ok('tradeclose', { tradeNo: other.tradeNo })).toBe(true)
        expect(await ok('tradedetail', { tradeNo: other.tradeNo })).toMatchObject({ transactionStatus: 6 })
      })

      test('tells the last known state of a trade that is still processing', async () => {
        const { tradeNo } = await ok('trade', order())
        proxy.seen.length = 0
        const waiting = client.call('waitForTrade', { tradeNo, timeout: 5 })
        await expect.poll(() => proxy.seen.length).toBeGreaterThan(0)
        proxy.faults.push(...Array.from({ length: 20 }, () => ({ status: 503 })))
        expect((await waiting).error).toMatchObject({ kind: 'processing', trade: { tradeNo, transactionStatus: 1 } })
      })

      test('does not wait for a trade beyond the timeout, whatever the server asks for', async () => {
        proxy.faults.push(...Array.from({ length: 20 }, () => ({ status: 503, headers: { 'Retry-After': '20' } })))
        const { error } = await client.call('waitForTrade', { tradeNo: '0'.repeat(32), timeout: 2 })
        expect(error).toMatchObject({ kind: 'processing' })
        expect(proxy.seen.length).toBeLessThanOrEqual(2)
      })

      test('sends notifications and activities', async () => {
        const notification = {
          openIds: [openId],
          title: 'Paid',
          text: 'Thank you & goodbye',
          navigateType: '1',
          language: 'en_US',
        }
        expect(await ok('sendNotify', notification)).toBe(true)
        expect(await ok('sendNotify', notification)).toBe(true)
        expect(new Set(sentParameter('timestamp')).size).toBe(2)
        expect((await sandbox.inbox(uid)).map(({ text }) => text).slice(0, 2)).toEqual([
          'Thank you & goodbye',
          'Thank you & goodbye',
        ])
        const activity = {
          activityId: 'delivery-1',
          openIds: [openId, openId],
          color: 'FF8800',
          templateId: 'delivery',
          title: 'On its way',
          text: '10 minutes',
          iconUrl: 'https://shop.example/icon.png',
          status: 1,
          validityTime: 600,
          language: 'ar_SA',
        }
        expect(await ok('sendActivity', activity)).toBe(true)
        expect(await ok('sendActivity', { ...activity, status: 0 })).toBe(true)
        expect(await sandbox.home(uid)).toEqual([])
      })

      test('reports how many recipients a message does not reach, and why', async () => {
        const message = { title: 'Paid', text: 'Thank you', navigateType: '1', language: 'en_US' }
        expect(await ok('notDelivered', {})).toEqual([])
        expect(await ok('sendNotify', { ...message, openIds: [openId, '0'.repeat(32)] })).toBe(true)
        const found = { count: 1, reasons: { unknown: 1 }, operation: 'sendNotify' }
        expect(await ok('notDelivered', {})).toEqual([found])
      })

      test('uploads an image', async () => {
        const { url } = await ok('fileUpload', { content: png, name: 'tea "1".png' })
        expect(url).toMatch(/^http:\/\/souk\.test\//)
      })

      test('names itself, and reuses its connections', async () => {
        await ok('whoAmI', {})
        const before = proxy.connections()
        for (let n = 0; n < 5; n++) await ok('whoAmI', {})
        expect(proxy.connections()).toBe(before)
        const agent = new RegExp(`^souk-${language.folder}/\\d+\\.\\d+\\.\\d+ \\([^()]+\\)$`)
        for (const { headers } of proxy.seen) expect(headers['user-agent']).toMatch(agent)
      })

      test('explains an error response', async () => {
        const error = await refused('tradedetail', { tradeNo: '0'.repeat(32) })
        expect(error).toMatchObject({ kind: 'api', status: 404, code: 'trade_not_found' })
        expect(error.message).toMatch(/^tradedetail failed: .*\(status 404, code trade_not_found, request \S+\)$/)
        expect(error.message).not.toContain(app.secret)
      })

      test('repeats idempotent requests, each signed afresh', async () => {
        proxy.faults.push({ status: 503 }, 'break')
        await ok('trade', order())
        expect(new Set(sentParameter('timestamp')).size).toBe(3)
        expect(new Set(sentParameter('sign')).size).toBe(3)
        expect(new Set(sentParameter('outTradeNo')).size).toBe(1)
      })

      test('repeats idempotent requests after internal errors and conflicts that pass', async () => {
        const { tradeNo } = await ok('trade', order())
        proxy.seen.length = 0
        const refusal = (status: number, code: string) => ({
          status,
          body: JSON.stringify({ responseHeader: { status, code, msg: 'No.' }, response: null }),
        })
        proxy.faults.push(refusal(500, 'internal'), refusal(409, 'payment_in_flight'))
        expect(await ok('tradeclose', { tradeNo })).toBe(true)
        expect(proxy.seen).toHaveLength(3)
        proxy.faults.push({ status: 409, body: 'Conflict' }, { status: 520, body: 'Unknown' })
        await ok('trade', order())
        expect(proxy.seen).toHaveLength(6)
        proxy.faults.push(refusal(409, 'out_trade_no_conflict'))
        expect(await refused('trade', order())).toMatchObject({ status: 409 })
        expect(proxy.seen).toHaveLength(7)
      })

      test('does not repeat after an internal error what may have been executed', async () => {
        const dataset = { projectId, name: 'unsure', fields: [{ name: 'title', type: 'string' }] }
        for (const status of [500, 409]) {
          proxy.faults.push({ status, body: 'No.' })
          expect(await refused('createDataset', dataset)).toMatchObject({ kind: 'api', status })
        }
        expect(proxy.seen).toHaveLength(2)
      })

      test('does not take a limit of a proxy for a wrong address', async () => {
        proxy.faults.push(...Array.from({ length: 3 }, () => ({ status: 429, body: '<h1>Slow down</h1>' })))
        const { message } = await refused('userInfo', { accessToken: 'a' })
        expect(message).toContain('A proxy in front of Souk limits requests')
        expect(message).not.toContain('Check')
        expect(proxy.seen).toHaveLength(3)
      })

      test('repeats a notification as the same request', async () => {
        proxy.faults.push({ status: 502 }, 'break')
        const notification = { openIds: [openId], title: 'Once', text: 'Only once', navigateType: '1', language: 'en' }
        expect(await ok('sendNotify', notification)).toBe(true)
        expect(proxy.seen).toHaveLength(3)
        expect(new Set(sentParameter('sign')).size).toBe(1)
        expect((await sandbox.inbox(uid)).filter(({ title }) => title === 'Once')).toHaveLength(1)
      })

      test('repeats the exchange of a code as the same request, which gets the same token', async () => {
        proxy.faults.push({ status: 503 }, 'lose')
        const { accessToken } = await ok('accessToken', { code: await sandbox.createCode(app.appid, uid) })
        expect(proxy.seen).toHaveLength(3)
        expect(new Set(sentParameter('sign')).size).toBe(1)
        expect(await ok('userInfo', { accessToken })).toMatchObject({ openId })
      })

      test('does not wait for longer than 30 seconds', async () => {
        const delays = ['31', new Date(Date.now() + minute).toUTCString()]
        proxy.faults.push(...delays.map((delay) => ({ status: 429, headers: { 'Retry-After': delay } })))
        for (const _ of delays) {
          expect(await refused('userInfo', { accessToken: 'a' })).toMatchObject({ kind: 'api', status: 429 })
        }
        expect(proxy.seen).toHaveLength(2)
      })

      test('does not follow redirects, and says what is wrong', async () => {
        proxy.faults.push({ status: 302, headers: { Location: 'https://elsewhere.example/' } })
        const error = await refused('userInfo', { accessToken: 'a' })
        expect(error).toMatchObject({ kind: 'api', status: 302 })
        expect(error.message).toContain('https://elsewhere.example/')
      })

      test('says when a response does not come from Souk, and what it is', async () => {
        const open = ['<html>', '', '[]', 'null', '"ok"', '{"status":"ok"}', '{"responseHeader":{"status":200}}']
        const cases = [
          ...open.map((body) => ['userInfo', { accessToken: 'a' }, body] as const),
          ['tradeclose', { tradeNo: '0'.repeat(32) }, '{"responseHeader":{"status":200},"response":{}}'],
          ...['<html>', '', '[]', 'null', '"ok"', '{"status":"ok"}'].map((body) => ['whoAmI', {}, body] as const),
          ['listDatasets', {}, '{"data":[]}'],
          ['deleteDataset', { datasetId: '0'.repeat(32) }, '{}'],
          ['exportRecords', { datasetId: '0'.repeat(32), format: 'csv' }, '<html>'],
        ] as const
        for (const [name, parameters, body] of cases) {
          proxy.faults.push({ status: 200, headers: { 'Content-Type': 'text/html' }, body })
          const error = await refused(name, parameters)
          expect(error).toMatchObject({ kind: 'api', status: 200 })
          expect(error.message).toContain('The response does not come from Souk: text/html, ')
          const unquoted = (text: string) => text.replaceAll(/["\\]/g, '')
          expect(unquoted(error.message)).toContain(body === '' ? 'empty' : `starting with ${unquoted(body)}`)
          expect(error.message).toContain(`: the request went to ${proxy.url}/`)
          expect(error.message).not.toContain('?')
        }
        proxy.faults.push({ status: 200, body: '['.repeat(200_000) })
        expect(await refused('userInfo', { accessToken: 'a' })).toMatchObject({ kind: 'api', status: 200 })
      })

      test('does not take the JSON of a proxy for an error of Souk', async () => {
        proxy.faults.push({ status: 422, body: '{"detail":[{"msg":"a"}],"code":{},"status":422}' })
        expect(await refused('whoAmI', {})).toMatchObject({ kind: 'api', status: 422 })
        proxy.seen.length = 0
        proxy.faults.push({ status: 503, body: '{"detail":"down","status":"error"}' })
        await ok('whoAmI', {})
        expect(proxy.seen).toHaveLength(2)
      })

      test('does not resolve dots in the path', async () => {
        proxy.seen.length = 0
        for (const datasetId of ['.', '..']) await refused('deleteRecords', { datasetId, filter: 'a=1' })
        expect(proxy.seen.map(({ path }) => path)).toEqual([
          '/api/v1/datasets/./records',
          '/api/v1/datasets/../records',
        ])
      })

      test('verifies callbacks', async () => {
        const { callbacks } = new Souk({ baseUrl: souk.url, ...app })
        const { body, headers } = callbacks.signTestCallback({ outTradeNo: 'A-1', payNo: null })
        const event = await ok('verifyCallback', { body, headers })
        expect(event).toMatchObject({ outTradeNo: 'A-1', transactionStatus: 2, amount: 100 })
        expect(event.payNo ?? null).toBeNull()
        const changed = { body: body.replace('amount=100', 'amount=1'), headers }
        expect(await refused('verifyCallback', changed)).toMatchObject({ kind: 'callback', code: 'sign_mismatch' })
      })

      test('refunds trades, and verifies the results of refunds', async () => {
        const { tradeNo } = await ok('trade', order())
        await sandbox.pay({ tradeNo, uid })
        const outRefundNo = `refund-${language.name}`
        const refund = { tradeNo, outRefundNo, amount: 400, reason: 'Cold & late 茶' }
        const { refundNo } = await ok('refund', refund)
        expect(await ok('refund', refund)).toEqual({ outRefundNo, refundNo })
        expect(await ok('refunddetail', { refundNo })).toMatchObject({
          refundNo,
          outRefundNo,
          tradeNo,
          reason: 'Cold & late 茶',
          amount: 400,
          amountStrWithYuan: '4.00',
        })
        const conflict = await refused('refund', { ...refund, amount: 1 })
        expect(conflict).toMatchObject({ kind: 'api', status: 409, code: 'out_refund_no_conflict' })

        const { callbacks } = new Souk({ baseUrl: souk.url, ...app })
        const { body, headers } = callbacks.signTestRefund({ outRefundNo: 'R-1' })
        const event = await ok('verifyRefund', { body, headers })
        expect(event).toMatchObject({ outRefundNo: 'R-1', refundStatus: 2, amount: 100 })
        expect(event.failReason ?? null).toBeNull()
        const changed = { body: body.replace('amount=100', 'amount=1'), headers }
        expect(await refused('verifyRefund', changed)).toMatchObject({ kind: 'callback', code: 'sign_mismatch' })
        const payment = callbacks.signTestCallback()
        expect(await refused('verifyRefund', payment)).toMatchObject({ kind: 'callback', code: 'callback_malformed' })
      })

      test('reads and writes datasets', async () => {
        expect(await ok('whoAmI', {})).toMatchObject({ via: 'apiKey', environment: 'sandbox' })
        expect((await ok('pageProjects', { limit: 10 })).items).toEqual([expect.objectContaining({ projectId })])
        const dataset = await ok('createDataset', {
          projectId,
          name: `orders_${language.name}`,
          fields: [
            { name: 'title', type: 'string', required: true },
            { name: 'price', type: 'integer' },
          ],
        })
        const { datasetId } = dataset
        expect(dataset.fields).toContainEqual(expect.objectContaining({ name: 'title', required: true }))
        proxy.seen.length = 0
        proxy.faults.push('break', { status: 503 })
        const records = Array.from({ length: 1001 }, (_, index) => ({ title: `茶 ${index}`, price: index }))
        expect(await ok('append', { datasetId, records })).toBe(1001)
        expect(proxy.seen).toHaveLength(4)
        const page = await ok('listRecords', { datasetId, filter: 'price>=1000', fields: ['title', 'price'] })
        expect(page.items).toEqual([{ title: '茶 1000', price: 1000 }])
        const csv = await ok('exportRecords', { datasetId, format: 'csv', filter: 'price<2', fields: ['title'] })
        expect(csv).toBe('title\r\n"茶 1"\r\n"茶 0"\r\n')
        expect(await ok('deleteRecords', { datasetId, filter: 'price>0' })).toEqual({ deleted: 1000 })
        const interrupted = await refused('append', { datasetId, records, broken: true })
        expect(interrupted).toMatchObject({ kind: 'interrupted', appended: 1000 })
        expect(await ok('deleteDataset', { datasetId })).toBe(true)
        expect(await refused('getDataset', { datasetId })).toMatchObject({ status: 404, code: 'dataset_not_found' })
      })
    },
  )
})
