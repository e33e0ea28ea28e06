import { callbackBody, webhookHeaders } from '@souk/contract'
import { hmacSha256, sha256Hex } from '../../../kernel/crypto.ts'
import { activeSecrets } from '../../app.ts'
import type { Context } from '../../context.ts'
import { callbackNotFound } from './notFound.ts'
import { type CallbackFields, findCallback } from './store.ts'

/** A signed callback, ready to be posted. */
export interface SignedCallback {
  notifyId: string
  appid: string
  headers: Record<string, string>
  body: string
}

/**
 * Returns a callback signed now, for `souk listen`, which forwards it to a developer's machine.
 * @throws SoukError `callback_not_found`, `callback_archived`
 */
export async function signedCallback(context: Context, notifyId: string): Promise<SignedCallback> {
  const callback = await findCallback(context.sql, notifyId)
  if (!callback) throw await callbackNotFound(context, notifyId)
  return signCallback(context, callback.fields)
}

/**
 * Signs a callback with the app's current secret and the current real time, so that every retry is within the
 * receiver's window of ±5 minutes (ADR 12).
 */
export async function signCallback(context: Context, fields: CallbackFields): Promise<SignedCallback> {
  const { appid, notifyId } = fields
  const app = await context.apps.find(appid)
  const secrets = app ? activeSecrets(app, context.clock.now()) : []
  const [current] = secrets
  if (current === undefined) throw new Error(`app ${appid} has no active secret`)
  const timestamp = context.clock.real()
  const body = callbackBody({ ...fields, timestamp }, current, sha256Hex)
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...webhookHeaders(notifyId, timestamp, body, secrets, hmacSha256),
  }
  return { notifyId, appid, headers, body }
}
