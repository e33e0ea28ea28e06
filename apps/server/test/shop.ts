import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { soukSandbox } from '../../../packages/conformance/src/sandbox.ts'
import { Souk } from '../../../packages/sdk/src/index.ts'
import { connect } from '../src/kernel/db/pool.ts'
import type { RunningServer } from './server.ts'

/** A mini app with a buyer, on any server of its installation. */
export interface Shop {
  appid: string
  secret: string
  accessToken: string
  openId: string
  uid: number
}

export async function openShop({ url, adminToken }: RunningServer): Promise<Shop> {
  const sandbox = soukSandbox(url, adminToken)
  const { appid, secret } = await sandbox.createApp('Tea House')
  const uid = await sandbox.createUser({ nickname: 'Layla' })
  const client = new Souk({ baseUrl: url, appid, secret })
  const { accessToken } = await client.accessToken({ code: await sandbox.createCode(appid, uid, 'user.info') })
  return { appid, secret, accessToken, openId: (await client.userInfo(accessToken)).openId, uid }
}

/** Creates and pays a trade of 12.50. */
export async function sell({ url, adminToken }: RunningServer, shop: Shop, outTradeNo: string): Promise<string> {
  const { tradeNo } = await new Souk({ baseUrl: url, ...shop, maxRetries: 0 }).trade({
    outTradeNo,
    amount: 1250,
    currency: 'SAR',
    openId: shop.openId,
    notifyUrl: 'http://127.0.0.1:9/paid',
  })
  expect(await soukSandbox(url, adminToken).pay({ tradeNo, uid: shop.uid })).toEqual({ status: 2 })
  return tradeNo
}

/** Sells until `stop`, with a pause that leaves processor time for what is tested meanwhile. */
export function sellContinuously(server: RunningServer, shop: Shop, name: string) {
  const paid: string[] = []
  let isStopped = false
  const selling = (async () => {
    while (!isStopped) {
      paid.push(await sell(server, shop, `${name}-${paid.length}`))
      await wait(50)
    }
  })()
  return {
    paid,
    stop: async () => {
      isStopped = true
      await selling
    },
  }
}

/** Returns the money in a database: paid trades, balances of merchants, and the sum of all accounts, in cents. */
export async function readBooks(url: string) {
  const sql = connect(url, { max: 1 })
  try {
    // One snapshot, since payments may still end.
    return await sql.begin(async (sql) => {
      await sql`set transaction isolation level repeatable read read only`
      const trades = await sql<{ tradeNo: string; callbacks: number; captured: number }[]>`
        select trade_no,
          (select count(*) from callbacks c where c.trade_no = t.trade_no) as callbacks,
          (select coalesce(sum(amount), 0)::bigint from ledger_entries e
            where e.trade_no = t.trade_no and movement = 'captured' and credit like 'merchant:%') as captured
        from trades t where transaction_status = 2`
      const [{ owned }] = await sql<[{ owned: number }]>`
        select coalesce(sum(amount), 0)::bigint as owned from ledger_entries where credit like 'merchant:%'`
      return { trades, owned }
    })
  } finally {
    await sql.end()
  }
}
