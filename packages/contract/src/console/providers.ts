import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { providerNames } from '../providers.ts'
import { Appid, DomainTime, Hex32, Long, Nullable, RealTime } from '../schemas.ts'
import { currencies, maxAmount, payMethod } from '../trade.ts'
import { BlockReason } from './blocks.ts'
import { console, Flag, Name, Page, paging } from './surface.ts'

const ProviderAccountId = Hex32({ description: 'The provider account.' })
const OfMerchant = Type.Optional({
  ...Appid,
  description: 'Mini app of the merchant; if absent, all merchants of the installation.',
})
const Fields = (description: string) =>
  Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 2000 }), {
    description,
    'x-allowed': 'must be an object of strings with the fields of the provider',
  })
const ProviderName = Type.Enum(providerNames, { 'x-allowed': `must be one of ${providerNames.join(', ')}` })

/** Maximum number of provider accounts of a merchant, and of those that serve all merchants. */
export const maxProviderAccounts = 100

/** An account at a payment provider, without secrets. */
const ProviderAccount = Type.Object({
  providerAccountId: ProviderAccountId,
  appid: Nullable(Type.String({ description: 'Mini app of the merchant; null if it serves all merchants.' })),
  name: Type.String(),
  provider: Type.Enum(providerNames),
  settings: Type.Record(Type.String(), Type.String()),
  webhookUrl: Type.String({ description: 'Webhook URL to enter at the provider.' }),
  enabled: Type.Boolean({ description: 'Whether the account takes new payments.' }),
  failures: Type.Integer({ description: 'Number of consecutive failures.' }),
  outUntil: Nullable(RealTime('Paused after failures until this time, ms of real time.')),
  ctime: DomainTime(),
  mtime: DomainTime(),
})

const inCents = { 'x-allowed': 'must be an amount in cents' }
/** A routing rule. Absent conditions match everything. */
const RoutingRule = Type.Object(
  {
    currency: Type.Optional(Type.Enum([...currencies])),
    amountFrom: Type.Optional(Long({ maximum: maxAmount, description: 'Minimum amount, cents.', ...inCents })),
    amountTo: Type.Optional(Long({ maximum: maxAmount, description: 'Maximum amount, cents.', ...inCents })),
    payMethod: Type.Optional(Type.Enum(Object.values(payMethod))),
    share: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Percentage of matching trades.' }),
    ),
    providerAccountIds: Type.Array(ProviderAccountId, {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Accounts in the order in which they are tried.',
    }),
    shadowAccountId: Type.Optional({
      ...ProviderAccountId,
      description:
        'Account that receives the same order as a shadow payment, which is canceled at once; its response is only recorded.',
    }),
  },
  { additionalProperties: false },
)

/** Provider accounts and payment routing. */
export const providerOperations = {
  listProviderAccounts: operation({
    ...console,
    id: 'listProviderAccounts',
    method: 'GET',
    path: '/console/v1/provider-accounts',
    summary:
      'List provider accounts of a merchant, or those that serve all merchants, oldest first; returns no secrets',
    access: { action: 'provider.read', by: 'appid' },
    parameters: Type.Object({ appid: OfMerchant }),
    result: Type.Array(ProviderAccount, { maxItems: maxProviderAccounts }),
    errors: [],
    redact: [],
  }),
  createProviderAccount: operation({
    ...console,
    id: 'createProviderAccount',
    stepUp: 'money',
    method: 'POST',
    path: '/console/v1/provider-accounts',
    summary: 'Add a provider account; its secrets are never shown again',
    access: { action: 'provider.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: OfMerchant,
      provider: ProviderName,
      name: Name('What the account is called here.'),
      settings: Fields('What the provider asks for and may be shown again.'),
      secrets: Fields('What the provider asks for and is kept secret.'),
    }),
    example: { provider: 'sandbox', name: 'Sandbox', settings: {}, secrets: {} },
    result: ProviderAccount,
    errors: ['provider_account_limit_reached', 'sandbox_only', 'blocked_by_operator'],
    redact: ['secrets'],
  }),
  updateProviderAccount: operation({
    ...console,
    id: 'updateProviderAccount',
    stepUp: 'money',
    method: 'PATCH',
    path: '/console/v1/provider-accounts/{providerAccountId}',
    summary: 'Change, enable or disable a provider account; absent fields stay unchanged',
    access: { action: 'provider.manage', by: 'providerAccountId' },
    body: ['json'],
    parameters: Type.Object({
      providerAccountId: ProviderAccountId,
      name: Type.Optional(Name('What the account is called here.')),
      settings: Type.Optional(Fields('Those that change.')),
      secrets: Type.Optional(Fields('Those that change.')),
      enabled: Type.Optional(Flag('Whether new payments go there. Existing ones are still processed.')),
      reason: BlockReason,
    }),
    example: { enabled: false },
    result: ProviderAccount,
    errors: ['blocked_by_operator'],
    redact: ['secrets'],
  }),
  testProviderAccount: operation({
    ...console,
    id: 'testProviderAccount',
    unaudited: 'Changes nothing: queries a payment that does not exist.',
    method: 'POST',
    path: '/console/v1/provider-accounts/{providerAccountId}/test',
    summary: 'Test a provider account: queries a payment that does not exist, to check connection and keys',
    access: { action: 'provider.manage', by: 'providerAccountId' },
    body: ['json'],
    parameters: Type.Object({ providerAccountId: ProviderAccountId }),
    result: Type.Object({
      works: Type.Boolean(),
      reason: Nullable(Type.String({ description: 'Why the test failed.' })),
      duration: Type.Integer({ description: 'ms' }),
    }),
    errors: [],
    redact: [],
  }),
  listShadowAnswers: operation({
    ...console,
    id: 'listShadowAnswers',
    method: 'GET',
    path: '/console/v1/provider-accounts/{providerAccountId}/shadow-answers',
    summary: 'List shadow payments of a provider account with the results of the real payments, newest first',
    access: { action: 'provider.read', by: 'providerAccountId' },
    parameters: Type.Object({ providerAccountId: ProviderAccountId, ...paging }),
    result: Page(
      Type.Object({
        attemptId: Hex32(),
        tradeNo: Hex32(),
        kind: Nullable(Type.String({ description: 'Response of the shadow account; null if there was none.' })),
        detail: Nullable(Type.String()),
        duration: Type.Integer({ description: 'ms' }),
        provider: Type.String({ description: 'Provider of the real payment.' }),
        state: Type.String({ description: 'State of the real payment.' }),
        ctime: DomainTime(),
      }),
    ),
    errors: [],
    redact: [],
  }),
  getRouting: operation({
    ...console,
    id: 'getRouting',
    method: 'GET',
    path: '/console/v1/routing',
    summary: 'List routing rules in order',
    access: { action: 'provider.read', by: 'appid' },
    parameters: Type.Object({ appid: OfMerchant }),
    result: Type.Array(RoutingRule),
    errors: [],
    redact: [],
  }),
  setRouting: operation({
    ...console,
    id: 'setRouting',
    method: 'POST',
    path: '/console/v1/routing',
    summary: 'Replace all routing rules; the first matching rule applies',
    access: { action: 'provider.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: OfMerchant,
      rules: Type.Array(RoutingRule, {
        maxItems: 50,
        description: 'If empty, accounts are tried in the order in which they were added.',
        'x-allowed': 'must be a list of at most 50 rules, each with providerAccountIds',
      }),
    }),
    example: { rules: [] },
    result: Type.Array(RoutingRule),
    errors: [],
    redact: [],
  }),
}
