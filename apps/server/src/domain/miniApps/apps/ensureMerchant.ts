import { sha256Hex } from '../../../kernel/crypto.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { App, Merchant } from '../../app.ts'
import type { Caller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { findMerchant, insertMerchant } from './store.ts'

/**
 * Returns the merchant of a mini app and creates it if necessary, with an id derived from the appid (open-api §4.3).
 * Opens its own transaction.
 */
export async function ensureMerchant(context: Context, app: App): Promise<Merchant> {
  if (app.merchant !== null) return app.merchant
  const merchant = await context.sql.begin(async (tx) => {
    if (await createMerchant(context, tx, app, { kind: 'app', app, sign: '' })) await notify(tx, 'souk_app', app.appid)
    return findMerchant(tx, app.appid)
  })
  context.apps.forget(app.appid)
  return merchant!
}

/**
 * Creates the merchant and returns true, unless the app has one. The merchantId depends on the appid only (ADR 34).
 */
export async function createMerchant(
  context: Context,
  tx: Tx,
  app: Pick<App, 'appid' | 'name' | 'projectId'>,
  caller: Caller,
): Promise<boolean> {
  const { appid, name, projectId } = app
  const merchantId = sha256Hex(`souk merchant ${appid}`).slice(0, 32)
  const created = await insertMerchant(tx, { merchantId, appid, name }, context.clock.now())
  if (created) {
    await audit(context, tx, caller, { action: 'merchant.create', subject: appid, projectId, detail: { merchantId } })
  }
  return created
}
