import type { BridgeMethods } from '@souk/contract/bridge'
import { call, hostOnly, ignored, inPage, list, required, type, unchecked } from './entry.ts'

const ofUser = { ...hostOnly, module: 'login' } as const
type Profile = BridgeMethods['getUserProfile']['result']
type Provider = string
type Subscription = BridgeMethods['requestSubscribeMessage']['result']['answer']

/** The user's account, and payments. */
export const account = {
  /** Returns a login code with scope user.info, without asking the user; without the e-mail address (open-api §2.4). */
  login: call({
    ...ofUser,
    capability: 'login',
    fails: ['capabilityMissing'],
    method: 'login',
    options: {
      provider: ignored<Provider>(),
      scopes: ignored<string | string[]>(),
      timeout: ignored<number>(),
      univerifyStyle: ignored<object>(),
      onlyAuthorize: ignored<boolean>(),
    },
    result: type<{
      /** The login code, which the backend exchanges once and soon. */
      code: string
    }>(),
  }),
  /** Always succeeds, because sessions belong to the app's own backend. */
  checkSession: call({ ...inPage, module: 'settings', differs: 'always succeeds' }),
  /**
   * Returns a code for scopes that the user consents to: user.info, user.phone, user.email and those of the operator,
   * comma-separated or as an array (open-api §1). The result lists those that were granted.
   */
  getAuthCode: call({
    ...ofUser,
    capability: 'login',
    fails: ['capabilityMissing', 'scopesUnknown'],
    method: 'getAuthCode',
    options: {
      /** Scopes, separated by commas or as a list; `user.info` by default. */
      scope: unchecked<string | string[]>(),
    },
    result: type<BridgeMethods['getAuthCode']['result']>(),
  }),
  /** Returns a code for the phone number of the user, after the user consents. */
  getPhoneNumber: call({
    ...ofUser,
    capability: 'login',
    fails: ['capabilityMissing', 'scopesUnknown'],
    method: 'getAuthCode',
    result: type<{
      /** The code, which the backend exchanges once and soon. */
      code: string
    }>(),
  }),
  /** Returns the user's public profile in the host application. It proves nothing to a backend; use a code for that. */
  getUserProfile: call({
    ...ofUser,
    method: 'getUserProfile',
    options: {
      /** What the profile is needed for. */
      desc: unchecked<string>(),
      provider: ignored<Provider>(),
      withCredentials: ignored<boolean>(),
      lang: ignored<string>(),
      timeout: ignored<number>(),
    },
    result: type<Profile>(),
  }),
  /** Does the same as `getUserProfile`. */
  getUserInfo: call({
    ...ofUser,
    method: 'getUserProfile',
    options: {
      /** What the profile is needed for. */
      desc: unchecked<string>(),
      provider: ignored<Provider>(),
      withCredentials: ignored<boolean>(),
      lang: ignored<string>(),
      timeout: ignored<number>(),
    },
    result: type<Profile>(),
  }),
  /**
   * Asks the user once whether the mini app may send messages. `answer` is `accept`, `reject`, or `ban` if the operator
   * does not let the mini app send any, and so is the value of each of `tmplIds`.
   */
  requestSubscribeMessage: call({
    ...ofUser,
    capability: 'notification',
    method: 'requestSubscribeMessage',
    differs: 'asks for all messages of the mini app, once',
    options: {
      /** Any ids: the answer is for all messages of the mini app. */
      tmplIds: list<string>(),
    },
    result: type<
      {
        /** The answer of the user. */
        answer: Subscription
      } & { [tmplId: string]: string }
    >(),
  }),
  /** Returns no providers, because there are no third-party ones. */
  getProvider: call({
    ...inPage,
    module: 'settings',
    differs: 'there are no providers',
    options: {
      /** What the providers are for. */
      service: required(unchecked<'oauth' | 'share' | 'payment' | 'push'>()),
    },
    result: type<{
      /** The service that was asked for. */
      service: string
      /** Always empty. */
      provider: string[]
    }>(),
  }),
  /**
   * Lets the user pay a trade. Status 0: the cashier was closed; 1: failed, with `failCode` (a failReasonType); 2:
   * succeeded. The backend must still query the trade: a result from the frontend proves nothing.
   */
  requestPayment: call({
    ...hostOnly,
    capability: 'payment',
    fails: ['tradeMissing'],
    module: 'payment',
    method: 'requestPayment',
    differs: 'takes the tradeNo of the open API',
    options: {
      /** Number of the trade, which your backend has created (open-api §1). This or `transactionNo` is required. */
      tradeNo: unchecked<string>(),
      /** Another name for `tradeNo`. */
      transactionNo: unchecked<string>(),
      /** Name that the page displayed. A difference to the trade is refused, as in the next three. */
      name: unchecked<string>(),
      /** Country that the page displayed. */
      country: unchecked<string>(),
      /** Currency that the page displayed, such as `USD`. */
      currency: unchecked<string>(),
      /** Amount that the page displayed, in major units such as `12.50`. */
      amount: unchecked<string | number>(),
      provider: ignored<Provider>(),
      orderInfo: ignored<string | object>(),
      timeStamp: ignored<string>(),
      nonceStr: ignored<string>(),
      package: ignored<string>(),
      signType: ignored<string>(),
      paySign: ignored<string>(),
    },
    result: type<{
      /** 0: the cashier was closed; 1: failed; 2: succeeded. */
      status: 0 | 1 | 2
      /** Why it failed, a failReasonType; only with status 1. */
      failCode?: number
    }>(),
  }),
}
