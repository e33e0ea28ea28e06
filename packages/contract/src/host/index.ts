import { Type } from 'typebox'
import { canarySystems } from '../canary.ts'
import { HostFunctionForHosts } from '../console/hostFunctions.ts'
import { Flag, Listed, maxListed, paging } from '../console/surface.ts'
import { DomainsSchema } from '../domains.ts'
import { categories } from '../listing.ts'
import { TradeNo } from '../open/tradeNo.ts'
import { TradeDetail } from '../open/trades.ts'
import { operation } from '../operation.ts'
import { releasePlatforms, releaseStages } from '../release.ts'
import { outcomes } from '../sandbox.ts'
import { Appid, AppidList, DomainTime, Hex32, LanguageTag, languages, Nullable, ScopeList, Text } from '../schemas.ts'
import { payMethod } from '../trade.ts'
import { ScopeTitles } from '../userScopes.ts'
import { analyticsHostOperations } from './analytics.ts'
import { cardHostOperations } from './cards.ts'
import { feedbackHostOperations } from './feedback.ts'
import { inspectionHostOperations } from './inspections.ts'
import { messageLevelHostOperations } from './messageLevels.ts'
import { HostSession, HostUser, Uid } from './session.ts'
import { logoutOperations, SignedOut, signInOperations } from './signIn.ts'
import { tokenOperations } from './token.ts'

export { analyticsHostOperations } from './analytics.ts'
export { logoutEvent, logoutOperations, signInOperations } from './signIn.ts'
export { accessTokenType, refreshTokenGrant, tokenExchangeGrant, tokenOperations } from './token.ts'

/** Maximum number of mock users that a host can offer. */
export const maxSandboxUsers = 500

const Language = Type.Optional({ ...LanguageTag, description: 'Preferred language.' })

/** The result of `neu.requestPayment()`: 0 closed, 1 failed with `failCode` (a failReasonType), 2 succeeded. */
export const PaymentResult = Type.Object({
  status: Type.Enum([0, 1, 2], { description: '0 closed, 1 failed, 2 succeeded.' }),
  failCode: Type.Optional(Type.Integer({ description: 'failReasonType if status is 1.' })),
  challenge: Type.Optional(
    Type.Object(
      { payNo: Type.String(), prompt: Type.String() },
      { description: '3-D Secure challenge that the payer must answer.' },
    ),
  ),
  redirect: Type.Optional(
    Type.Object(
      { payNo: Type.String(), url: Type.String() },
      {
        description:
          'Payment page of the provider, to be opened in the window of the host application or a browser. It redirects to /host/v1/return and from there to the host application.',
      },
    ),
  ),
})

/** A notification in the inbox of a user. */
export const InboxItem = Type.Object({
  notificationId: Type.String(),
  appid: Type.String(),
  appName: Type.String(),
  title: Type.String(),
  text: Type.String(),
  navigateType: Type.Enum(['1', '2']),
  url: Nullable(Type.String()),
  link: Nullable(Type.String()),
  language: Type.String(),
  read: Type.Boolean(),
  ctime: DomainTime(),
})

/** An activity message on the home page of a user. */
export const HomeItem = Type.Object({
  appid: Type.String(),
  appName: Type.String(),
  activityId: Type.String(),
  color: Type.String(),
  templateId: Type.String(),
  title: Type.String(),
  text: Type.String(),
  iconUrl: Type.String(),
  path: Nullable(Type.String()),
  language: Type.String(),
  validUntil: DomainTime('When it is removed from the home page, ms.'),
  mtime: DomainTime(),
})

/** Data that a user shares with a mini app. */
const Consent = {
  appid: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String(), {
    description:
      'Scopes that need no further consent. user.info is among them once the user has consented to the e-mail address; those of the operator that need no consent are always.',
  }),
}

/** A release of a mini app that the user may open. */
const MiniAppRelease = Type.Object({
  releaseId: Type.String(),
  url: Type.String({
    description:
      'URL of its folder, relative to this server or absolute, with a trailing slash; contains index.html and souk-app.json.',
  }),
  platform: Type.Enum([...releasePlatforms]),
  version: Type.String(),
  stage: Type.Enum([...releaseStages]),
})

const host = { surface: 'host', auth: 'hostSession' } as const

/** A page that users find on the home page of a host: a tab of the release to open. */
const MiniAppTab = Type.Object({
  path: Type.String(),
  title: Type.String(),
  titles: Type.Record(Type.String(), Type.String(), {
    description: 'Titles by language tag, where they differ from title.',
  }),
})

/** A tab of a mini app that a search has found. */
const FoundPage = Type.Object({
  appid: Type.String(),
  name: Type.String(),
  names: Type.Record(Type.String(), Type.String()),
  iconUrl: Nullable(Type.String()),
  path: Type.String(),
  title: Type.String({ description: 'In the language of the request if the tab has it.' }),
})

/** A mini app with the releases of it that the user may open. */
const MiniApp = Type.Object({
  appid: Type.String(),
  name: Type.String(),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'Names by language, where they differ from name.',
  }),
  iconUrl: Nullable(Type.String()),
  developer: Nullable(Type.String({ description: 'Merchant name, which users see as the developer.' })),
  category: Nullable(Type.Enum([...categories])),
  keywords: Type.Array(Type.String()),
  recommended: Type.Boolean(),
  analytics: Type.Boolean({ description: 'Whether the host reports events of the mini app, see recordEvents.' }),
  tabs: Type.Array(MiniAppTab, { description: 'Tabs of the release to open, for the search of the host.' }),
  domains: DomainsSchema,
  documentVersion: Type.String({
    description:
      'Changes with the policy of the release’s documents. Browsers may cache a document that is requested with it, as in index.html?v=<documentVersion>.',
  }),
  release: Nullable({
    ...MiniAppRelease,
    description: 'The release to open: the published one for Mini App, otherwise for App; null if there is none.',
  }),
  releases: Type.Array(MiniAppRelease, {
    description:
      'All releases that the user may open: the published one of each platform and, for testers, newer ones.',
  }),
})

/** Operations of a host application (`/host/v1`). */
export const hostOperations = {
  ...tokenOperations,
  ...signInOperations,
  ...logoutOperations,
  ...analyticsHostOperations,
  ...cardHostOperations,
  ...feedbackHostOperations,
  ...inspectionHostOperations,
  ...messageLevelHostOperations,
  listSandboxUsers: operation({
    ...host,
    id: 'listSandboxUsers',
    method: 'GET',
    path: '/host/v1/sandbox/users',
    summary: `List the newest ${maxSandboxUsers} mock users that can sign in`,
    auth: 'none',
    sandboxOnly: true,
    parameters: Type.Object({}),
    result: Type.Array(Type.Object({ uid: Uid, nickName: Type.String(), avatar: Type.String() }), {
      maxItems: maxSandboxUsers,
    }),
    errors: [],
    redact: [],
  }),
  signIn: operation({
    ...host,
    id: 'signIn',
    method: 'POST',
    path: '/host/v1/sessions',
    summary: 'Sign in as a mock user',
    auth: 'none',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({ uid: Uid }),
    result: HostSession,
    errors: ['user_not_found'],
    redact: ['session', 'user'],
  }),
  signOut: operation({
    ...host,
    id: 'signOut',
    method: 'DELETE',
    path: '/host/v1/sessions',
    summary: 'Sign out',
    parameters: Type.Object({}),
    result: SignedOut,
    errors: ['session_invalid'],
    redact: ['signOutUrl'],
  }),
  me: operation({
    ...host,
    id: 'me',
    method: 'GET',
    path: '/host/v1/me',
    summary: 'Get the signed-in host user',
    parameters: Type.Object({}),
    result: HostUser,
    errors: ['session_invalid'],
    redact: ['email', 'country', 'phone'],
  }),
  listMiniApps: operation({
    ...host,
    id: 'listMiniApps',
    method: 'GET',
    path: '/host/v1/apps',
    summary: 'List or search the mini apps that the user may open, by name',
    revalidated: true,
    parameters: Type.Object({
      query: Type.Optional(
        Text(100, {
          description:
            'Each word is a part of a name in any language, a keyword, the category or the title of a tab; or it is an appid. Mini apps whose name begins with it come first.',
        }),
      ),
      category: Type.Optional(Type.Enum([...categories], { 'x-allowed': `must be one of ${categories.join(', ')}` })),
      recommended: Type.Optional(Flag('Whether to list only those that the operator recommends.')),
      released: Type.Optional(
        Flag('Whether to list only mini apps with a release, or only those without one, which only a sandbox has.'),
      ),
      appids: Type.Optional(AppidList(50, 'Only these are listed, in this order; other parameters have no effect.')),
      language: Type.Optional(
        Type.Enum([...languages], {
          default: 'en_US',
          description: 'Language of the names by which they are sorted.',
          'x-allowed': `must be one of ${languages.join(', ')}`,
        }),
      ),
      cursor: paging.cursor,
      limit: paging.limit,
    }),
    result: Type.Object({
      items: Type.Array(MiniApp),
      next: Nullable(Type.String({ description: 'Cursor of the next page.' })),
      categories: Type.Array(Type.Enum([...categories]), {
        description: 'Categories of all mini apps that are listed without `category`, `recommended` and `query`.',
      }),
      pages: Type.Array(FoundPage, {
        description: 'Tabs whose titles contain all words of the query, at most 50; only with the first page.',
      }),
    }),
    errors: ['session_invalid'],
    redact: [],
  }),
  openMiniApp: operation({
    ...host,
    id: 'openMiniApp',
    method: 'POST',
    path: '/host/v1/apps/{appid}/open',
    summary: 'Get the release to open, once per opening: the published one, or the canary that the user is part of',
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      platform: Type.Optional(
        Type.Enum([...releasePlatforms], {
          description: 'Preferred platform of the release.',
          'x-allowed': `must be one of ${releasePlatforms.join(', ')}`,
        }),
      ),
      language: Language,
      system: Type.Optional(
        Type.Enum([...canarySystems], {
          description: 'Operating system of the device.',
          'x-allowed': `must be one of ${canarySystems.join(', ')}`,
        }),
      ),
    }),
    result: Type.Object({
      ...MiniApp.properties,
      release: Nullable({
        ...MiniAppRelease,
        description: 'The release to open until the user closes the mini app; null if none is published.',
      }),
      canary: Type.Boolean({ description: 'Whether `release` is a canary.' }),
    }),
    errors: ['session_invalid', 'app_not_found'],
    redact: [],
  }),
  reportOpening: operation({
    ...host,
    id: 'reportOpening',
    method: 'POST',
    path: '/host/v1/apps/{appid}/releases/{releaseId}/report',
    summary: 'Report that a release did not start, or had its first JavaScript error in this opening',
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      releaseId: Hex32({ description: 'The release.' }),
      failure: Type.Enum(['launch', 'error'], { 'x-allowed': 'must be launch or error' }),
    }),
    example: { failure: 'launch' },
    result: Type.Boolean(),
    errors: ['session_invalid'],
    redact: [],
  }),
  getPreview: operation({
    ...host,
    id: 'getPreview',
    method: 'GET',
    path: '/host/v1/apps/{appid}/releases/{releaseId}/preview',
    summary: 'Get a mini app with one release, for its reviewer',
    parameters: Type.Object({
      appid: Appid,
      releaseId: Hex32({ description: 'The release.' }),
      preview: Text(200, { description: 'The token of createPreview.' }),
    }),
    result: MiniApp,
    errors: ['session_invalid', 'release_not_found'],
    redact: ['preview'],
  }),
  getReleaseNote: operation({
    ...host,
    id: 'getReleaseNote',
    method: 'GET',
    path: '/host/v1/apps/{appid}/releases/{releaseId}/note',
    summary: 'Get what is new in a release that the user may open',
    parameters: Type.Object({
      appid: Appid,
      releaseId: Hex32({ description: 'The release.' }),
      language: Type.Optional({ ...LanguageTag, description: 'Preferred language.' }),
    }),
    result: Type.Object({
      language: Nullable(Type.String({ description: 'Language of the note; null without one.' })),
      note: Nullable(Type.String({ description: 'Plain text.' })),
    }),
    errors: ['session_invalid', 'release_not_found'],
    redact: [],
  }),
  login: operation({
    ...host,
    id: 'login',
    method: 'POST',
    path: '/host/v1/apps/{appid}/login',
    summary: 'neu.login(): create a code with user.info, without a prompt; the e-mail address requires consent',
    section: '1',
    body: ['json'],
    parameters: Type.Object({ appid: Appid }),
    result: Type.Object({ code: Type.String(), expire: Type.Integer({ description: 'Seconds.' }) }),
    errors: ['session_invalid', 'app_not_found', 'capability_missing'],
    redact: ['code'],
  }),
  getConsent: operation({
    ...host,
    id: 'getConsent',
    method: 'GET',
    path: '/host/v1/apps/{appid}/consent',
    summary: 'Get what the user has granted to the mini app',
    section: '1',
    parameters: Type.Object({ appid: Appid }),
    result: Type.Object({
      ...Consent,
      noticeDismissed: Type.Boolean({
        description: 'Whether the user has dismissed the notice that the mini app sees the user’s name and picture.',
      }),
    }),
    errors: ['session_invalid', 'app_not_found'],
    redact: [],
  }),
  listConsents: operation({
    ...host,
    id: 'listConsents',
    method: 'GET',
    path: '/host/v1/consents',
    summary: `List the mini apps that know the user’s name and picture, with what the user has granted, at most ${maxListed}`,
    section: '2.4',
    parameters: Type.Object({}),
    result: Listed(Type.Object({ ...Consent, iconUrl: Nullable(Type.String()) })),
    errors: ['session_invalid'],
    redact: [],
  }),
  listOwnScopes: operation({
    ...host,
    id: 'listOwnScopes',
    method: 'GET',
    path: '/host/v1/scopes',
    summary: 'List the scopes that the operator has defined, with the values of the user that they reveal',
    section: '2.4',
    parameters: Type.Object({}),
    result: Type.Array(
      Type.Object({
        scope: Type.String(),
        titles: ScopeTitles,
        requiresConsent: Type.Boolean({ description: 'False: every mini app that the user opens may read it.' }),
        values: Type.Array(Type.String()),
      }),
    ),
    errors: ['session_invalid'],
    redact: ['values'],
  }),
  listFunctionsOfHost: operation({
    ...host,
    id: 'listFunctionsOfHost',
    method: 'GET',
    path: '/host/v1/apps/{appid}/host-functions',
    summary: 'List the functions of the host that the operator has declared, and which of them the mini app may call',
    parameters: Type.Object({ appid: Appid }),
    result: Type.Array(HostFunctionForHosts),
    errors: ['session_invalid'],
    redact: [],
  }),
  dismissNotice: operation({
    ...host,
    id: 'dismissNotice',
    method: 'POST',
    path: '/host/v1/apps/{appid}/notice',
    summary: 'Dismiss the notice that the mini app sees the user’s name and picture',
    section: '2.4',
    body: ['json'],
    parameters: Type.Object({ appid: Appid }),
    result: Type.Boolean(),
    errors: ['session_invalid', 'app_not_found'],
    redact: [],
  }),
  getAuthCode: operation({
    ...host,
    id: 'getAuthCode',
    method: 'POST',
    path: '/host/v1/apps/{appid}/auth-code',
    summary: 'neu.getAuthCode(): create a code with the scopes that the user consented to',
    section: '1',
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      scope: ScopeList(),
      consent: Type.Boolean({
        description: 'Whether the user consented.',
        'x-allowed': 'must be true or false',
      }),
    }),
    result: Type.Object({
      code: Type.String(),
      expire: Type.Integer({ description: 'Seconds.' }),
      scope: Type.String({ description: 'Comma-separated list of the scopes that were granted.' }),
    }),
    errors: ['session_invalid', 'app_not_found', 'capability_missing', 'consent_refused', 'scope_not_granted'],
    redact: ['code'],
  }),
  withdrawConsent: operation({
    ...host,
    id: 'withdrawConsent',
    method: 'DELETE',
    path: '/host/v1/apps/{appid}/consent',
    summary: 'Withdraw consent; codes not yet exchanged and access tokens lose it at once',
    parameters: Type.Object({ appid: Appid }),
    result: Type.Boolean(),
    errors: ['session_invalid', 'app_not_found'],
    redact: [],
  }),
  showTrade: operation({
    ...host,
    id: 'showTrade',
    method: 'GET',
    path: '/host/v1/trades/{tradeNo}',
    summary: 'Get a trade for the cashier; its payer only',
    section: '1',
    parameters: Type.Object({ tradeNo: TradeNo }),
    result: TradeDetail,
    errors: ['session_invalid', 'trade_not_found'],
    redact: [],
  }),
  startPayment: operation({
    ...host,
    id: 'startPayment',
    method: 'POST',
    path: '/host/v1/trades/{tradeNo}/payments',
    summary: 'neu.requestPayment(): start a payment attempt',
    section: '1',
    body: ['json'],
    parameters: Type.Object({
      tradeNo: TradeNo,
      payMethod: Type.Enum(Object.keys(payMethod), {
        'x-allowed': `must be one of ${Object.keys(payMethod).join(', ')}`,
      }),
      amount: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,9}(\\.[0-9]{1,2})?$',
          description: 'Displayed amount in major units; a mismatch is refused.',
          'x-allowed': 'must be an amount in major units such as 12.50',
        }),
      ),
      currency: Type.Optional(Type.String({ maxLength: 3, 'x-allowed': 'must be a currency code' })),
      outcome: Type.Optional(
        Type.Enum([...outcomes], {
          description: 'Outcome at the sandbox provider.',
          'x-allowed': `must be one of ${outcomes.join(', ')}`,
        }),
      ),
    }),
    result: PaymentResult,
    errors: ['session_invalid', 'trade_not_found', 'payment_mismatch', 'sandbox_only'],
    redact: [],
  }),
  answerChallenge: operation({
    ...host,
    id: 'answerChallenge',
    method: 'POST',
    path: '/host/v1/trades/{tradeNo}/challenge',
    summary: 'Answer 3-D Secure',
    sandboxOnly: true,
    body: ['json'],
    parameters: Type.Object({ tradeNo: TradeNo, passed: Type.Boolean({ 'x-allowed': 'must be true or false' }) }),
    result: PaymentResult,
    errors: ['session_invalid', 'trade_not_found', 'payment_not_pending'],
    redact: [],
  }),
  cancelPayment: operation({
    ...host,
    id: 'cancelPayment',
    method: 'POST',
    path: '/host/v1/trades/{tradeNo}/cancel',
    summary: 'Cancel a trade as its payer',
    section: '3.2',
    body: ['json'],
    parameters: Type.Object({ tradeNo: TradeNo }),
    result: PaymentResult,
    errors: ['session_invalid', 'trade_not_found', 'payment_in_flight'],
    redact: [],
  }),
  paymentResult: operation({
    ...host,
    id: 'paymentResult',
    method: 'GET',
    path: '/host/v1/trades/{tradeNo}/result',
    summary: 'Get the current result of neu.requestPayment()',
    section: '1',
    parameters: Type.Object({ tradeNo: TradeNo }),
    result: PaymentResult,
    errors: ['session_invalid', 'trade_not_found'],
    redact: [],
  }),
  inbox: operation({
    ...host,
    id: 'inbox',
    method: 'GET',
    path: '/host/v1/inbox',
    summary: 'List notifications of the user, newest first',
    parameters: Type.Object({
      language: Language,
      before: Type.Optional(Hex32({ description: 'notificationId of the last one seen.' })),
    }),
    result: Type.Array(InboxItem),
    errors: ['session_invalid'],
    redact: [],
  }),
  markRead: operation({
    ...host,
    id: 'markRead',
    method: 'POST',
    path: '/host/v1/inbox/{notificationId}/read',
    summary: 'Mark a notification as read',
    body: ['json'],
    parameters: Type.Object({ notificationId: Hex32() }),
    result: Type.Boolean(),
    errors: ['session_invalid'],
    redact: [],
  }),
  home: operation({
    ...host,
    id: 'home',
    method: 'GET',
    path: '/host/v1/home',
    summary: 'List activity messages on the user’s home page, newest first',
    parameters: Type.Object({ language: Language }),
    result: Type.Array(HomeItem),
    errors: ['session_invalid'],
    redact: [],
  }),
  events: operation({
    ...host,
    id: 'events',
    method: 'GET',
    path: '/host/v1/events',
    summary:
      'Stream notifications, activity messages, payment results, answers and cards of the user as server-sent events',
    stream: true,
    parameters: Type.Object({}),
    result: Type.Object({
      event: Type.Enum(['notification', 'activity', 'trade', 'feedback', 'card', 'clock', 'resync'], {
        description:
          'feedback: a message of the user was answered. ' +
          'card: a mock user of a sandbox has sent a card. ' +
          'clock: the time of messages and trades, sent first and whenever the sandbox clock is moved. ' +
          'resync: events may have been lost; read everything again, as after a new connection.',
      }),
      data: Type.Union([
        Type.Object({
          id: Type.Optional(
            Type.String({
              description:
                'notificationId, activityId, tradeNo, feedbackId or cardId; absent for a notification that shows no banner.',
            }),
          ),
        }),
        Type.Object({ now: Type.Integer({ description: 'Time of a clock event, ms.' }) }),
        Type.Object({}, { description: 'Data of a resync event.' }),
      ]),
    }),
    errors: ['session_invalid'],
    redact: [],
  }),
}
