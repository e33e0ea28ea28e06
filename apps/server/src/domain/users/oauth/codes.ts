import { minute, SoukError, second } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId, newLoginCode } from '../../../kernel/id.ts'
import { type App, isAvailable } from '../../app.ts'
import type { Context } from '../../context.ts'
import { upsertOpenId, upsertUnionId } from '../identity/index.ts'
import { insertCode } from './store.ts'

/** Lifetime of a login code, in seconds. */
export const codeLifetime = (5 * minute) / second

/** Returns a mini app that users can log in to. @throws SoukError `app_not_found`, `capability_missing` */
export async function appForLogin(context: Context, appid: string): Promise<App> {
  const app = await context.apps.find(appid)
  if (app === undefined || !isAvailable(app)) throw new SoukError('app_not_found', `appid: ${appid}`)
  if (!app.capabilities.has('login'))
    throw new SoukError('capability_missing', `Enable the capability login of the mini app ${appid}.`)
  return app
}

/**
 * Creates a login code for the user and the scopes; the database stores its SHA-256. Also creates the openId and
 * unionId of the user, so that the exchange is a single statement.
 */
export async function issueCode(
  tx: Tx,
  code: { app: App; uid: number; scopes: readonly string[] },
  now: number,
): Promise<string> {
  const { app, uid, scopes } = code
  await upsertOpenId(tx, app.appid, uid)
  await upsertUnionId(tx, app.projectId, uid)
  const plain = newLoginCode()
  const validUntil = now + codeLifetime * second
  await insertCode(tx, { codeHash: sha256(plain), appid: app.appid, uid, scopes, tokenId: newId(), validUntil }, now)
  return plain
}
