import { type Scope, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { newCode, newId } from '../../kernel/id.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { ensureOpenId, ensureUnionId } from '../identity/index.ts'
import { insertCode } from './store.ts'

/** How long a login code lives, seconds. */
export const codeLifetime = 300

/** A mini app that a user can log in to. @throws SoukError app_not_found, capability_missing */
export async function appForLogin(context: Context, appid: string): Promise<App> {
  const app = await context.apps.find(appid)
  if (app === undefined || !app.enabled) throw new SoukError('app_not_found', `There is no mini app ${appid}.`)
  if (!app.capabilities.has('login')) throw new SoukError('capability_missing', `${appid} lacks the capability login.`)
  return app
}

/**
 * A login code with which the app can act for the user within the scopes; only its SHA-256 is stored. The user's
 * identifiers are made here, so that the exchange is one statement.
 */
export async function issueCode(
  tx: Tx,
  code: { app: App; uid: number; scopes: readonly Scope[] },
  now: number,
): Promise<string> {
  const { app, uid, scopes } = code
  await ensureOpenId(tx, app.appid, uid)
  await ensureUnionId(tx, app.projectId, uid)
  const plain = newCode()
  const validUntil = now + codeLifetime * 1000
  await insertCode(tx, { codeHash: sha256(plain), appid: app.appid, uid, scopes, tokenId: newId(), validUntil }, now)
  return plain
}
