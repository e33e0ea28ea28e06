/** A mini app's credentials. */
export interface Credentials {
  appid: string
  secret: string
}

/** What a user of the host application has told about itself. */
export interface Profile {
  nickname: string
  country?: string
  phone?: string
  email?: string
  avatar?: string
}

/** How the payer pays, and what the provider makes of it. */
export interface Payment {
  tradeNo: string
  uid: number
  payMethod?: 'wallet-a' | 'wallet-b' | 'card'
  outcome?: string
}

/** What `neu.requestPayment()` gives: 0 closed, 1 failed with `failCode`, 2 succeeded. */
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

/** A callback in the server's ledger. */
export interface LedgerEntry {
  notifyId: string
  tradeNo: string
  state: string
  /** ms of the domain clock; null when nothing more will be tried. */
  nextAttempt: number | null
  attempts: { attempt: number; acknowledged: boolean; status: number | null; error: string | null; time: number }[]
}

/**
 * The side of the wire that the open API does not show: who owns the mini apps, who the users are, how they log in and pay,
 * what they see, and what time it is. Certifying another server takes another implementation of this.
 */
export interface Sandbox {
  createApp(name: string): Promise<Credentials>
  updateApp(appid: string, change: { enabled?: boolean; capabilities?: string[] }): Promise<void>
  /** A second secret; the first stays valid for `overlap` seconds. */
  rotateSecret(appid: string, overlap: number): Promise<string>
  createUser(profile: Profile): Promise<number>
  /** A login code of the user for the mini app, consent to the scope included. */
  createCode(appid: string, uid: number, scope: string): Promise<string>
  pay(payment: Payment): Promise<PaymentResult>
  /** Lets the provider decide a payment that is in flight. */
  decide(tradeNo: string, outcome: string): Promise<void>
  inbox(uid: number): Promise<InboxItem[]>
  home(uid: number): Promise<HomeItem[]>
  /** The clock of codes, expiries and schedules, ms. */
  now(): Promise<number>
  /** Moves that clock; what has come due has happened when this returns. */
  forward(ms: number): Promise<void>
  resetClock(): Promise<void>
  callbacks(appid: string): Promise<LedgerEntry[]>
  replay(notifyId: string): Promise<void>
}

/** Souk's own sandbox, through `/console/v1` with the admin token. Throws with Souk's words on any refusal. */
export function soukSandbox(url: string, adminToken: string): Sandbox {
  async function call<T>(method: string, path: string, input?: unknown): Promise<T> {
    const answer = await fetch(`${url}/console/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(input !== undefined && { 'content-type': 'application/json' }),
      },
      ...(input !== undefined && { body: JSON.stringify(input) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} /console/v1${path} answered ${answer.status}: ${text}`)
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
  }
}
