import {
  minute,
  mostRecipients,
  type Operation,
  openOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
  sendNotify2023,
} from '@souk/contract'
import type { AppCaller } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import { sendNotify } from '../../domain/miniApps/index.ts'
import { findNotifyUrl, tradeDetail } from '../../domain/money/index.ts'
import { exchangeCode, listOpenIds, listOpenIdsAfter, listOpenIdsByPhone } from '../../domain/users/index.ts'
import { sha256Hex } from '../../kernel/crypto.ts'
import { requireCapability } from './gate.ts'
import type { SignedHandler } from './handlers.ts'

/**
 * The open API as the platform's documentation of 2023 describes it (ADR 60). Its requests are translated here into the
 * operations of today.
 */

/** Another form of an operation, recognized by one of its parameters. */
export interface Variant {
  /** The parameter that only this form has. */
  mark: string
  operation: Operation
  handler: SignedHandler
  /** The parameter with the appid. */
  appid: string
  /** Maximum age of a timestamp in ms; that of all requests if absent. */
  window?: number
  /** Accepts a JSON body. */
  json?: true
}

/**
 * Forms of operations with the same path. `findAmbiguity` knows `sendNotify2023`. It need not know the exchange: no
 * other canonical string starts with `clientId=`, and `grantType` and `scope` can only be read in one way.
 */
export const variants: Partial<Record<string, Variant>> = {
  accessToken: {
    mark: 'clientId',
    operation: { ...openOperations.accessToken, aliases: { clientId: 'appid' } },
    handler: exchangeCode,
    appid: 'clientId',
    window: 15 * minute,
    json: true,
  },
  sendNotify: { mark: 'rulesType', operation: sendNotify2023, handler: notifyByRule, appid: 'appid' },
}

/** Other paths of operations, with the `tradeNo` in the path, which the sign covers. */
export const otherPaths: readonly { path: string; operation: Operation; handler?: SignedHandler }[] = [
  'trade-no',
  'tradeno',
].flatMap((name) => [
  { path: `/pay/transactions/${name}/:tradeNo`, operation: openOperations.tradedetail, handler: tradeDetail2023 },
  { path: `/pay/transactions/${name}/:tradeNo/close`, operation: openOperations.tradeclose },
])

/** Returns a trade with the fields that it had in 2023, too. */
async function tradeDetail2023(
  context: FullContext,
  caller: AppCaller,
  input: ParametersOf<typeof openOperations.tradedetail>,
): Promise<ResultOf<typeof openOperations.tradedetail> & { uid: number; notifyUrl: string }> {
  const trade = await tradeDetail(context, caller, input)
  return { ...trade, uid: trade.payer, notifyUrl: await findNotifyUrl(context, caller, input) }
}

/**
 * Sends a notification to the recipients of a rule: everyone who knows the mini app, which needs the capability
 * `broadcast`, the users with a phone number that they share with it, or users by openId or uid.
 *
 * @throws SoukError `capability_missing`, `parameter_missing`, `parameter_invalid` (miniAppId), `recipients_unknown`
 */
async function notifyByRule(
  context: FullContext,
  caller: AppCaller,
  { rulesType, countryCode, mobileNumber, miniAppId, openIds = [], ...rest }: ParametersOf<typeof sendNotify2023>,
): Promise<boolean> {
  const { app } = caller
  if (miniAppId !== undefined && miniAppId !== app.appid)
    throw invalid('miniAppId', 'must be the appid: a notification opens the mini app that sends it')
  const message = { ...rest, language: rest.language ?? app.defaultLanguage }
  if (rulesType === '1') {
    requireCapability(app, 'broadcast')
    return notifyEveryone(context, caller, message)
  }
  if (rulesType === '2') {
    if (countryCode === undefined) throw missing('countryCode')
    if (mobileNumber === undefined) throw missing('mobileNumber')
    const phone = { country: `+${countryCode.replace('+', '')}`, phone: mobileNumber }
    const found = await listOpenIdsByPhone(context.sql, app.appid, phone)
    if (found.length === 0) throw new SoukError('recipients_unknown', 'No user shares this number with the mini app.')
    return sendNotify(context, caller, { ...message, openIds: found })
  }
  if (openIds.length === 0) throw missing('openIds')
  const isUid = (one: string) => /^[1-9]\d{0,14}$/.test(one)
  const ofUids = await listOpenIds(context.sql, app.appid, openIds.filter(isUid).map(Number))
  return sendNotify(context, caller, { ...message, openIds: [...openIds.filter((one) => !isUid(one)), ...ofUids] })
}

type Message = Omit<Parameters<typeof sendNotify>[2], 'openIds'>

/**
 * Sends in batches. A repeated request does not send a batch with the same recipients again, and continues where the
 * first one failed.
 */
async function notifyEveryone(context: FullContext, caller: AppCaller, message: Message): Promise<boolean> {
  let refusal = new SoukError('recipients_unknown', 'No user has opened the mini app.')
  let isSent = false
  let batch: string[] = []
  do {
    batch = await listOpenIdsAfter(context.sql, caller.app.appid, batch.at(-1), mostRecipients)
    if (batch.length === 0) break
    const sign = sha256Hex(`${caller.sign} ${batch.join()}`)
    try {
      await sendNotify(context, { ...caller, sign }, { ...message, openIds: batch })
      isSent = true
    } catch (error) {
      // No user in this batch can be reached.
      const isSkipped =
        error instanceof SoukError && (error.code === 'testers_only' || error.code === 'recipients_unknown')
      if (!isSkipped) throw error
      refusal = error
    }
  } while (batch.length === mostRecipients)
  if (!isSent) throw refusal
  return true
}

/**
 * Returns the parameters of a JSON body as texts, of which the sign is made.
 * @throws SoukError `parameter_malformed`, `parameter_invalid`
 */
export function textsOf(body: object): Map<string, string> {
  if (Array.isArray(body)) throw new SoukError('parameter_malformed', 'The JSON body must be an object.')
  return new Map(
    Object.entries(body).map(([name, value]) => {
      if (typeof value === 'object' && value !== null) throw invalid(name.slice(0, 64), 'must be a text or a number')
      return [name, value === null ? '' : String(value)]
    }),
  )
}

function invalid(parameter: string, rule: string): SoukError {
  return new SoukError('parameter_invalid', `${parameter} ${rule}.`, { data: { parameters: [parameter] } })
}

function missing(parameter: string): SoukError {
  return new SoukError('parameter_missing', `Send ${parameter}.`, { data: { parameters: [parameter] } })
}
