import {
  type Currency,
  type consoleOperations,
  type ParametersOf,
  type PayMethod,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { newId } from '../../../../kernel/id.ts'
import type { ConsoleCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { ensureMerchant } from '../../../miniApps/index.ts'
import { listAccounts, listRules, type RoutingRule, updateRules } from './store.ts'

type Operations = typeof consoleOperations
type Rule = ParametersOf<Operations['setRouting']>['rules'][number]

/** Lists the routing rules of a mini app's merchant, or the shared ones. */
export async function getRouting(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['getRouting']>,
): Promise<ResultOf<Operations['getRouting']>> {
  const merchant = appid === undefined ? null : (await context.apps.find(appid))!.merchant
  if (appid !== undefined && merchant === null) return []
  return (await listRules(context.sql, merchant?.merchantId ?? null)).map(toRule)
}

/**
 * Replaces the routing rules.
 * @throws SoukError `parameter_invalid` for a rule with an empty range of amounts, with a shadow that is one of its
 *   accounts, or with an account that is neither the merchant's nor shared
 */
export async function setRouting(
  context: Context,
  caller: ConsoleCaller,
  { appid, rules }: ParametersOf<Operations['setRouting']>,
): Promise<ResultOf<Operations['setRouting']>> {
  const app = appid === undefined ? null : (await context.apps.find(appid))!
  const merchantId = app && (await ensureMerchant(context, app)).merchantId
  const shared = await listAccounts(context.sql, null)
  const own = appid === undefined ? [] : await listAccounts(context.sql, appid)
  const validIds = new Set([...shared, ...own].map(({ providerAccountId }) => providerAccountId))
  for (const [index, rule] of rules.entries()) checkRule(rule, index, validIds)

  const stored = rules.map((rule) => toStoredRule(rule, merchantId))
  await context.sql.begin(async (tx) => {
    await updateRules(tx, merchantId, stored)
    await audit(context, tx, caller, {
      action: 'provider.routing',
      subject: appid ?? 'all',
      projectId: app?.projectId,
      detail: { rules },
    })
  })
  return stored.map(toRule)
}

function checkRule(rule: Rule, index: number, known: ReadonlySet<string>): void {
  const invalid = (reason: string) =>
    new SoukError('parameter_invalid', `rules: ${reason}`, { data: { parameters: ['rules'], rule: index } })
  const accountIds = [...rule.providerAccountIds, ...(rule.shadowAccountId === undefined ? [] : [rule.shadowAccountId])]
  const unknown = accountIds.find((id) => !known.has(id))
  if (unknown !== undefined) throw invalid(`provider account ${unknown} does not exist or belongs to another merchant.`)
  if (rule.providerAccountIds.some((id) => id === rule.shadowAccountId)) {
    throw invalid('the shadow account must not be one of providerAccountIds.')
  }
  if ((rule.amountFrom ?? 0) > (rule.amountTo ?? Infinity)) throw invalid('amountFrom is greater than amountTo.')
}

function toStoredRule(rule: Rule, merchantId: string | null): RoutingRule {
  return {
    ruleId: newId(),
    merchantId,
    currency: (rule.currency as Currency | undefined) ?? null,
    amountFrom: rule.amountFrom ?? null,
    amountTo: rule.amountTo ?? null,
    payMethod: (rule.payMethod as PayMethod | undefined) ?? null,
    share: rule.share ?? 100,
    providerAccountIds: rule.providerAccountIds,
    shadowAccountId: rule.shadowAccountId ?? null,
  }
}

function toRule({ ruleId: _id, merchantId: _merchant, ...rule }: RoutingRule): Rule {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null)) as Rule
}
