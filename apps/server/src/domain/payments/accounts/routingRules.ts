import {
  type Currency,
  type consoleOperations,
  type ParametersOf,
  type PayMethod,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import { ensureMerchant } from '../../apps/index.ts'
import { audit } from '../../audit/index.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listAccounts, listRules, type RoutingRule, replaceRules } from './store.ts'

type Operations = typeof consoleOperations
type Rule = ParametersOf<Operations['setRouting']>['rules'][number]

/** The rules of routing, of a mini app's merchant or those for all. */
export async function getRouting(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['getRouting']>,
): Promise<ResultOf<Operations['getRouting']>> {
  const merchant = appid === undefined ? null : (await context.apps.find(appid))!.merchant
  if (appid !== undefined && merchant === null) return []
  return (await listRules(context.sql, merchant?.merchantId ?? null)).map(show)
}

/**
 * Puts rules in place of the ones there are.
 * @throws SoukError `parameter_invalid` for a rule whose amounts exclude each other, whose shadow takes its payments, or with an
 *   account that is not the merchant's own, nor there for all
 */
export async function setRouting(
  context: Context,
  caller: ConsoleCaller,
  { appid, rules }: ParametersOf<Operations['setRouting']>,
): Promise<ResultOf<Operations['setRouting']>> {
  const app = appid === undefined ? null : (await context.apps.find(appid))!
  const merchantId = app && (await ensureMerchant(context, app)).merchantId
  const common = await listAccounts(context.sql, null)
  const own = appid === undefined ? [] : await listAccounts(context.sql, appid)
  const known = new Set([...common, ...own].map(({ providerAccountId }) => providerAccountId))
  for (const [index, rule] of rules.entries()) checkRule(rule, index, known)

  const stored = rules.map((rule) => store(rule, merchantId))
  await context.sql.begin(async (tx) => {
    await replaceRules(tx, merchantId, stored)
    await audit(context, tx, caller, {
      action: 'provider.routing',
      subject: appid ?? 'all',
      projectId: app?.projectId,
      detail: { rules },
    })
  })
  return stored.map(show)
}

function checkRule(rule: Rule, index: number, known: ReadonlySet<string>): void {
  const fault = (reason: string) =>
    new SoukError('parameter_invalid', `rules: ${reason}`, { data: { parameters: ['rules'], rule: index } })
  const named = [...rule.providerAccountIds, ...(rule.shadowAccountId === undefined ? [] : [rule.shadowAccountId])]
  const foreign = named.find((id) => !known.has(id))
  if (foreign !== undefined) throw fault(`there is no provider account ${foreign} for these payments.`)
  if (rule.providerAccountIds.some((id) => id === rule.shadowAccountId)) {
    throw fault('the shadow is an account that takes the payments itself.')
  }
  if ((rule.amountFrom ?? 0) > (rule.amountTo ?? Infinity)) throw fault('amountFrom is greater than amountTo.')
}

function store(rule: Rule, merchantId: string | null): RoutingRule {
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

function show({ ruleId: _id, merchantId: _merchant, ...rule }: RoutingRule): Rule {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null)) as Rule
}
