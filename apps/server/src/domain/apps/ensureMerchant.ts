import { sha256Hex } from '../../kernel/crypto.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { announce } from '../../kernel/outbox.ts'
import type { Context } from '../context.ts'
import type { App, Merchant } from './app.ts'
import { audit, insertMerchant, selectMerchant } from './store.ts'

/**
 * The merchant of a mini app, generated from the appid when there is none yet (open-api §4.3, Create trade). Not to be
 * called within a transaction.
 */
export async function ensureMerchant(context: Context, app: App): Promise<Merchant> {
  if (app.merchant !== null) return app.merchant
  const merchant = await context.sql.begin(async (tx) => {
    if (await createMerchant(tx, app, `app ${app.appid}`, context.clock.now()))
      await announce(tx, 'souk_app', app.appid)
    return selectMerchant(tx, app.appid)
  })
  context.apps.forget(app.appid)
  return merchant!
}

/** Makes the merchant unless the app has one: the same merchantId whoever makes it, wherever (ADR 34). Whether it did. */
export async function createMerchant(
  tx: Tx,
  app: Pick<App, 'appid' | 'name'>,
  actor: string,
  now: number,
): Promise<boolean> {
  const merchantId = sha256Hex(`souk merchant ${app.appid}`).slice(0, 32)
  const made = await insertMerchant(tx, { merchantId, appid: app.appid, name: app.name }, now)
  if (made) {
    await audit(tx, { time: now, actor, action: 'merchant.create', subject: app.appid, detail: { merchantId } })
  }
  return made
}
