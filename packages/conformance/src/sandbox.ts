/** A mini app's credentials. */
export interface Credentials {
  appid: string
  secret: string
}

/** The profile of a host application's user. */
export interface Profile {
  nickname: string
  country?: string
  phone?: string
  email?: string
  avatar?: string
}

/** A payment and its outcome at the provider. */
export interface Payment {
  tradeNo: string
  uid: number
  payMethod?: 'wallet-a' | 'wallet-b' | 'card'
  outcome?: string
}

/** The result of `neu.requestPayment()`: status 0 closed, 1 failed with `failCode`, 2 succeeded. */
export interface PaymentResult {
  status: number
  failCode?: number
  challenge?: { payNo: string; prompt: string }
}

/** A notification in a user's inbox. */
export interface InboxItem {
  notificationId: string
  appid: string
  title: string
  text: string
  navigateType: string
  url: string | null
  link: string | null
  language: string
}

/** An activity message on a user's home page. */
export interface HomeItem {
  appid: string
  activityId: string
  color: string
  templateId: string
  title: string
  text: string
  iconUrl: string
  path: string | null
  language: string
}

/** A callback in the server's delivery log. */
export interface CallbackRecord {
  notifyId: string
  tradeNo: string
  state: string
  /** In ms of the sandbox clock; null if no further attempt is scheduled. */
  nextAttempt: number | null
  attempts: { attempt: number; acknowledged: boolean; status: number | null; error: string | null; time: number }[]
}

/**
 * Everything the suite needs that is not part of the open API: mini apps, users, logins, payments, inboxes, the clock.
 * Implement it to test another server.
 */
export interface Sandbox {
  createApp(name: string): Promise<Credentials>
  updateApp(appid: string, change: { enabled?: boolean; capabilities?: string[] }): Promise<void>
  /** Creates a second secret and returns it. The first one stays valid for `overlap` seconds. */
  rotateSecret(appid: string, overlap: number): Promise<string>
  createUser(profile: Profile): Promise<number>
  /** Returns a login code. With a scope, the user consents to it; without, it is the code of neu.login(). */
  createCode(appid: string, uid: number, scope?: string): Promise<string>
  pay(payment: Payment): Promise<PaymentResult>
  /** Sets the outcome of a payment in flight. */
  decide(tradeNo: string, outcome: string): Promise<void>
  inbox(uid: number): Promise<InboxItem[]>
  home(uid: number): Promise<HomeItem[]>
  /** Returns the time, in ms, that codes, expiries and schedules use. */
  now(): Promise<number>
  /** Moves the clock forward and waits until due jobs have run. */
  forward(ms: number): Promise<void>
  resetClock(): Promise<void>
  callbacks(appid: string): Promise<CallbackRecord[]>
  replay(notifyId: string): Promise<void>
  /**
   * Disturbs the next `count` attempts to deliver callbacks of a mini app: `drop` does not send them, `error500` sends
   * them and treats each response as a 500, `twice` sends each twice.
   */
  injectFault(appid: string, fault: 'drop' | 'error500' | 'twice', count: number): Promise<void>
}

/** Controls Souk's sandbox through `/console/v1` with the admin token. Throws if a request fails. */
export function soukSandbox(url: string, adminToken: string): Sandbox {
  async function call<T>(method: string, path: string, input?: unknown): Promise<T> {
    const response = await fetch(`${url}/console/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(input !== undefined && { 'content-type': 'application/json' }),
      },
      ...(input !== undefined && { body: JSON.stringify(input) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} /console/v1${path} responded ${response.status}: ${text}`)
    return JSON.parse(text) as T
  }

  return {
    createApp: (name) => call('POST', '/apps', { name }),
    updateApp: async (appid, change) => {
      await call('PATCH', `/apps/${appid}`, change)
    },
    rotateSecret: async (appid, overlap) =>
      (await call<{ secret: string }>('POST', `/apps/${appid}/secrets`, { overlap })).secret,
    createUser: async (profile) => (await call<{ uid: number }>('POST', '/sandbox/users', profile)).uid,
    createCode: async (appid, uid, scope) =>
      (await call<{ code: string }>('POST', '/sandbox/codes', { appid, uid, scope })).code,
    pay: (payment) => call('POST', '/sandbox/payments', payment),
    decide: async (tradeNo, outcome) => {
      await call('POST', '/sandbox/results', { tradeNo, outcome })
    },
    inbox: (uid) => call('GET', `/sandbox/users/${uid}/inbox`),
    home: (uid) => call('GET', `/sandbox/users/${uid}/home`),
    now: async () => (await call<{ now: number }>('GET', '/sandbox/clock')).now,
    forward: async (ms) => {
      await call('POST', '/sandbox/clock', { forward: ms })
    },
    resetClock: async () => {
      await call('POST', '/sandbox/clock', { reset: true })
    },
    callbacks: (appid) => call('GET', `/callbacks?appid=${appid}`),
    replay: async (notifyId) => {
      await call('POST', `/callbacks/${notifyId}/replay`, {})
    },
    injectFault: async (appid, fault, count) => {
      await call('POST', `/apps/${appid}/callback-fault`, { fault, count })
    },
  }
}
