import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { providerNames } from '../providers.ts'
import { Appid, Hex32, Long, Nullable } from '../schemas.ts'
import { currencies, maxAmount, payMethod } from '../trade.ts'
import { console, Flag, Name, Page, paging, Time } from './surface.ts'

const ProviderAccountId = Hex32({ description: 'The provider account.' })
const OfMerchant = Type.Optional({
  ...Appid,
  description: 'The mini app whose merchant it is for; absent: for all merchants of the installation.',
})
const Fields = (description: string) =>
  Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 2000 }), {
    description,
    'x-allowed': 'must be an object of texts, as the provider asks for',
  })
const ProviderName = Type.Enum(providerNames, { 'x-allowed': `must be one of ${providerNames.join(', ')}` })

/** An account at a payment provider; no secret is part of it. */
const ProviderAccount = Type.Object({
  providerAccountId: ProviderAccountId,
  appid: Nullable(Type.String({ description: 'The mini app of its merchant; null where it is there for all.' })),
  name: Type.String(),
  provider: Type.Enum(providerNames),
  settings: Type.Record(Type.String(), Type.String()),
  webhookUrl: Type.String({ description: 'What the provider has to send its webhooks to.' }),
  enabled: Type.Boolean({ description: 'Whether new payments go there.' }),
  failures: Type.Integer({ description: 'Failures in a row.' }),
  outUntil: Nullable(Type.Integer({ description: 'Taken out for its failures until then, ms of real time.' })),
  ctime: Time,
  mtime: Time,
})

const inCents = { 'x-allowed': 'must be an amount in cents' }
/** A rule of routing. What is left out does not matter to it. */
const RoutingRule = Type.Object(
  {
    currency: Type.Optional(Type.Enum([...currencies])),
    amountFrom: Type.Optional(Long({ maximum: maxAmount, description: 'At least, in cents.', ...inCents })),
    amountTo: Type.Optional(Long({ maximum: maxAmount, description: 'At most, in cents.', ...inCents })),
    payMethod: Type.Optional(Type.Enum(Object.values(payMethod))),
    share: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Percent of the trades that fit.' }),
    ),
    providerAccountIds: Type.Array(ProviderAccountId, {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'In the order in which they are tried.',
    }),
    shadowAccountId: Type.Optional({
      ...ProviderAccountId,
      description: 'Gets the same order, which is cancelled at once; what it answers is written down and not used.',
    }),
  },
  { additionalProperties: false },
)

/** Accounts at payment providers, and which of them takes a payment. */
export const providerOperations = {
  listProviderAccounts: operation({
    ...console,
    id: 'listProviderAccounts',
    method: 'GET',
    path: '/console/v1/provider-accounts',
    summary: 'Accounts at payment providers of one merchant, or those for all, oldest first; never a secret',
    access: { action: 'provider.read', by: 'appid' },
    parameters: Type.Object({ appid: OfMerchant }),
    result: Type.Array(ProviderAccount),
    errors: [],
    redact: [],
  }),
  createProviderAccount: operation({
    ...console,
    id: 'createProviderAccount',
    method: 'POST',
    path: '/console/v1/provider-accounts',
    summary: 'Enter an account at a payment provider; its secrets are never shown again',
    access: { action: 'provider.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: OfMerchant,
      provider: ProviderName,
      name: Name('What the account is called here.'),
      settings: Fields('What the provider asks for and may be shown again.'),
      secrets: Fields('What the provider asks for and is kept secret.'),
    }),
    result: ProviderAccount,
    errors: ['sandbox_only'],
    redact: ['secrets'],
  }),
  updateProviderAccount: operation({
    ...console,
    id: 'updateProviderAccount',
    method: 'PATCH',
    path: '/console/v1/provider-accounts/{providerAccountId}',
    summary: 'Change an account at a payment provider, or take it out of use; what is not given stays',
    access: { action: 'provider.manage', by: 'providerAccountId' },
    body: ['json'],
    parameters: Type.Object({
      providerAccountId: ProviderAccountId,
      name: Type.Optional(Name('What the account is called here.')),
      settings: Type.Optional(Fields('Those that change.')),
      secrets: Type.Optional(Fields('Those that change.')),
      enabled: Type.Optional(Flag('Whether new payments go there. Those that exist are looked after all the same.')),
    }),
    result: ProviderAccount,
    errors: [],
    redact: ['secrets'],
  }),
  testProviderAccount: operation({
    ...console,
    id: 'testProviderAccount',
    method: 'POST',
    path: '/console/v1/provider-accounts/{providerAccountId}/test',
    summary:
      'Ask the provider about a payment that does not exist, to see whether it can be reached and takes the keys',
    access: { action: 'provider.manage', by: 'providerAccountId' },
    body: ['json'],
    parameters: Type.Object({ providerAccountId: ProviderAccountId }),
    result: Type.Object({
      works: Type.Boolean(),
      reason: Nullable(Type.String({ description: 'Why it does not work.' })),
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
    summary: 'What an account has answered as a shadow, beside what became of the payment, newest first',
    access: { action: 'provider.read', by: 'providerAccountId' },
    parameters: Type.Object({ providerAccountId: ProviderAccountId, ...paging }),
    result: Page(
      Type.Object({
        attemptId: Hex32(),
        tradeNo: Hex32(),
        kind: Nullable(Type.String({ description: 'What it answered; null where there was no answer.' })),
        detail: Nullable(Type.String()),
        duration: Type.Integer({ description: 'ms' }),
        provider: Type.String({ description: 'Who took the payment.' }),
        state: Type.String({ description: 'What became of the payment there.' }),
        ctime: Time,
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
    summary: 'The rules that say which provider account takes a payment, in their order',
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
    summary: 'Put these rules in place of the ones there are; the first that a payment fits takes it',
    access: { action: 'provider.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: OfMerchant,
      rules: Type.Array(RoutingRule, {
        maxItems: 50,
        description: 'None: the accounts are tried in the order in which they were entered.',
        'x-allowed': 'must be a list of at most 50 rules, each with providerAccountIds',
      }),
    }),
    result: Type.Array(RoutingRule),
    errors: [],
    redact: [],
  }),
}
