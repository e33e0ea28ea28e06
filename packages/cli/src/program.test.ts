import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  consoleOperations,
  day,
  hour,
  minute,
  type Operation,
  platformOperations,
  signParameters,
  subscribedEventTypes,
} from '@souk/contract'
import { Command } from 'commander'
import { Value } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isolated, run } from '../test/command.ts'
import { topLevelCommands } from './commands.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { type ExitStatus, Failure } from './failure.ts'
import { commandsOf } from './session.ts'

const appid = 'aaaaaaaaaaaaaaa'
const hex = (start: string) => `${start}123456789abcdef0123456789abcdef`
const now = 1_700_000_000_000

const trade = {
  tradeNo: hex('2'),
  appId: appid,
  merchantId: hex('1'),
  merchantLogoUrl: null,
  merchantName: 'Coffee',
  description: null,
  outTradeNo: 'order-1',
  timeExpire: now + 7_200_000,
  amount: 1250,
  amountStrWithYuan: '12.50',
  currency: 'SAR',
  openId: hex('3'),
  payer: 1001,
  notifySuccess: null,
  payType: null,
  payNo: null,
  payMethod: null,
  transactionFlow: 2,
  transactionStatus: 3,
  failReasonType: 27,
  ctime: now - minute,
  mtime: now,
}
const signingKey = { keyId: hex('a'), owner: 'Layla', state: 'pending', ctime: now - day, lastUsedAt: null }
const attempt = { via: 'notifyUrl', time: now - 5000, duration: 12 }
const callback = {
  notifyId: hex('4'),
  appid,
  tradeNo: trade.tradeNo,
  outTradeNo: 'order-1',
  refundNo: null,
  transactionStatus: 2,
  notifyUrl: 'https://shop.example/callback',
  state: 'delivered',
  nextAttempt: null,
  pausedUntil: null,
  ctime: now - minute,
  attempts: [
    { ...attempt, attempt: 1, acknowledged: false, status: null, reply: null, error: 'timeout' },
    { ...attempt, attempt: 2, via: 'listen', acknowledged: true, status: 200, reply: 'success', error: null },
  ],
}

const keyRing = {
  source: 'file',
  phase: 'resealing',
  values: 12,
  resealed: 9,
  keys: [
    {
      keyId: 'a'.repeat(16),
      state: 'old',
      values: 3,
      addedAt: now - day,
      replacedAt: now - minute,
      retiresAt: now + day,
      retiredAt: null,
    },
    {
      keyId: 'b'.repeat(16),
      state: 'current',
      values: 9,
      addedAt: now - 90_000,
      replacedAt: null,
      retiresAt: null,
      retiredAt: null,
    },
  ],
  processes: [
    {
      host: 'souk-1',
      pid: 7,
      source: 'file',
      keyIds: ['a'.repeat(16)],
      currentKeyId: 'a'.repeat(16),
      seenAt: now - 1000,
      ready: false,
    },
  ],
  unreadable: [{ row: 'app_secrets (appid a)', keyId: 'a'.repeat(16), reason: 'damaged', foundAt: now }],
  missing: ['c'.repeat(16)],
}
const project = {
  projectId: hex('7'),
  name: 'Shop\u001b[2J',
  role: 'owner',
  trusted: false,
  apps: 2,
  members: 3,
  ctime: now - 3 * day,
  archivedTime: null,
}
const changeRequest = {
  changeId: hex('9'),
  appid,
  appName: 'Coffee\u001b[2J',
  projectId: hex('7'),
  projectName: 'Shop',
  kind: 'name',
  before: 'Coffee',
  value: 'National Bank',
  state: 'pending',
  requestedBy: 'Layla',
  decidedBy: null,
  reason: null,
  ctime: now - minute,
  decidedTime: null,
}

const refund = {
  refundNo: hex('8'),
  tradeNo: hex('2'),
  attemptId: hex('5'),
  initiator: 'operator',
  reason: 'requested',
  amount: 450,
  currency: 'SAR',
  note: 'One was cold',
  outRefundNo: null,
  state: 'owed',
  refusal: null,
  ctime: now,
  mtime: now,
}
const reconciliation = {
  reconciliationId: hex('8'),
  appid,
  merchantId: hex('1'),
  account: 'provider:sandbox',
  accountName: null,
  day: now,
  state: 'finished',
  attempts: 3,
  differences: 0,
  ctime: now,
  mtime: now,
}
const account = {
  providerAccountId: hex('8'),
  appid: null,
  name: 'Cards\u001b[2J',
  provider: 'stripe',
  settings: {},
  webhookUrl: `https://souk.example/webhooks/${hex('8')}`,
  enabled: true,
  failures: 0,
  outUntil: null,
  ctime: now,
  mtime: now,
}

const userScope = {
  scope: 'user.qid',
  titles: { en: 'QID', 'zh-Hans': '号码', ar: 'البطاقة' },
  fields: [{ name: 'qid', claim: 'qid_number' }],
  requiresConsent: true,
  ctime: now,
}
const hostFunction = { ...consoleOperations.putHostFunction.example, ctime: now }
const customEvent = {
  ...consoleOperations.putCustomEvent.example,
  setBy: 'project',
  version: '1.2.0',
  mtime: now,
}
const issuer = {
  issuerId: hex('9'),
  issuer: 'https://id.example',
  audience: 'souk',
  jwksUrl: null,
  pem: null,
  algorithms: ['RS256'],
  claims: { subject: 'sub', name: 'name', picture: 'picture', email: 'email', phone: 'phone_number', locale: 'locale' },
  clockTolerance: 60,
  signIn: null,
  ctime: now,
}
const signOnProvider = {
  providerId: hex('e'),
  name: 'Example',
  issuer: 'https://id.example',
  clientId: 'souk',
  hasSecret: true,
  scopes: ['profile'],
  groupsClaim: 'groups',
  roles: [{ group: 'admins', role: 'administrator' }],
  suspensionDays: 30,
  redirectUrl: 'https://souk.example/console/signed-on',
  ctime: now,
}
const signIn = {
  name: 'Example',
  clientId: 'souk',
  hasSecret: true,
  scopes: ['profile'],
  redirectUrl: 'https://souk.example/host/signed-in',
  signOutRedirectUrl: 'https://souk.example/host/sign-in',
  backChannelLogoutUrl: 'https://souk.example/host/v1/back-channel-logout',
}

const hostUser = {
  uid: 10001,
  nickName: 'Layla',
  avatar: 'https://souk.example/files/avatars/4c.svg',
  email: null,
  country: '+966',
  phone: '500718294',
  locale: null,
  issuer: 'https://id.example',
  subject: 'employee-7',
  state: 'enabled',
  ctime: now,
}

const eventEndpoint = {
  endpointId: hex('9'),
  url: 'https://backend.example/souk',
  description: null,
  types: ['notification.created'],
  state: 'failing',
  failingSince: now - 2 * day,
  pausedUntil: now + 30_000,
  pending: 1,
  dead: 2,
  overlapUntil: null,
  ctime: now,
}
const eventAttempt = {
  attempt: 1,
  time: now,
  duration: 12,
  acknowledged: false,
  status: 500,
  reply: 'o\u001b[2J',
  error: null,
}
const eventDelivery = {
  deliveryId: hex('b'),
  endpointId: hex('9'),
  eventId: hex('c'),
  type: 'endpoint.tested',
  state: 'dead',
  nextAttempt: null,
  pausedUntil: null,
  ctime: now,
  url: 'https://backend.example/souk',
  payload: { type: 'endpoint.tested', timestamp: '2026-01-01T00:00:00.000Z', data: { endpointId: hex('9') } },
  attempts: [eventAttempt],
}
const deliveryRow = {
  deliveryId: hex('b'),
  endpointId: hex('9'),
  eventId: hex('c'),
  type: 'user.erased',
  state: 'pending',
  nextAttempt: now + minute,
  pausedUntil: null,
  ctime: now,
  attemptCount: 1,
  lastAttempt: eventAttempt,
}

const dataset = {
  datasetId: hex('6'),
  projectId: hex('7'),
  name: 'visits',
  description: 'Who came',
  kind: 'own',
  ctime: now,
}
const datasetFields = [
  { name: 'recordId', type: 'string', required: true, description: null, generated: true },
  { name: 'title', type: 'string', required: true, description: 'What it says', generated: false },
]

/** Returns the lines of an audit export with this many rows. */
function auditLines(rows: number): { lines: string[]; hashes: string[] } {
  const lines: string[] = []
  const hashes = ['0'.repeat(64)]
  for (let row = 1; row <= rows; row++) {
    const line = `{"previous":"${hashes.at(-1)}","position":${row},"auditId":${row + 5},"subject":"${row}"`
    const hash = createHash('sha256').update(`${line}}`).digest('hex')
    lines.push(`${line},"hash":"${hash}"}`)
    hashes.push(hash)
  }
  return { lines, hashes }
}
const audited = auditLines(5)

/** Responses of the server by operation. */
const serviceAccount = {
  serviceAccountId: hex('6'),
  projectId: hex('7'),
  name: 'CI',
  scopes: ['releases:write', 'datasets:read'],
  createdBy: 'Layla',
  expires: now + 30 * day,
  lastUsedAt: now - day,
  lastUsedFrom: '192.0.2.1',
  ctime: now,
}

const release = {
  releaseId: hex('5'),
  platform: 'Mini App',
  version: '1.4.0',
  note: null,
  notes: {},
  minRuntime: null,
  stage: 'review',
  current: false,
  url: '/mini/5/',
  files: 3,
  size: 4096,
  uploadedBy: 'Omar',
  signedBy: null,
  ctime: now - minute,
  publishedTime: null,
  publishedBy: null,
  reviewedBy: null,
}
const canary = {
  canaryId: hex('8'),
  appid,
  releaseId: hex('5'),
  platform: 'Mini App',
  version: '1.4.0',
  state: 'running',
  share: 5,
  uids: [10001],
  languages: [],
  systems: [],
  factor: 2,
  minOpenings: 200,
  haltReason: null,
  figures: {
    canary: { users: 3, openings: 30, failedLaunches: 1, errors: 2 },
    published: { users: 60, openings: 600, failedLaunches: 4, errors: 5 },
  },
  startedBy: 'Omar',
  ctime: now,
  mtime: now,
}
const review = {
  reviewId: hex('6'),
  appid,
  appName: 'Coffee\u001b[2J',
  projectId: hex('7'),
  projectName: 'Shop',
  releaseId: hex('5'),
  platform: 'Mini App',
  version: '1.4.0',
  state: 'inReview',
  note: 'The menu is new.\u001b[2J',
  testAccount: null,
  screenshots: [hex('8')],
  reasons: [],
  publishTime: null,
  submittedBy: 'Omar',
  changedBy: 'Layla',
  ctime: now - minute,
  mtime: now,
}
const reviewDetail = {
  review,
  history: [
    { state: 'submitted', by: 'Omar', reasons: [], note: null, time: now - minute },
    { state: 'rejected', by: 'Layla', reasons: [{ item: 'payment', text: 'No price' }], note: 'Almost', time: now },
  ],
  release,
  published: { ...release, releaseId: hex('4'), version: '1.3.0', stage: 'published', current: true },
  files: {
    added: { count: 201, files: [{ path: 'a.txt', earlierPath: null, size: 1200, earlierSize: null }] },
    changed: { count: 1, files: [{ path: 'c.txt', earlierPath: null, size: 3000, earlierSize: 2000 }] },
    removed: { count: 1, files: [{ path: 'b.txt', earlierPath: null, size: null, earlierSize: 100 }] },
  },
  pages: { added: ['pages/cart/cart'], removed: [] },
  approved: {
    capabilities: ['login'],
    domains: { request: ['api.example.com'], upload: [], download: [], webView: [] },
  },
  hostFunctions: { requested: ['loyaltyCard'], granted: [] },
  changes: [changeRequest],
}

const alertRule = {
  ruleId: hex('9'),
  metric: 'launchTime',
  event: null,
  threshold: 4000,
  window: 60,
  minCount: 20,
  roles: ['owner'],
  accountIds: [],
  mutedUntil: null,
  value: 5120,
  checkedTime: now - minute,
  isRaised: true,
  ctime: now,
}
const results: Record<string, unknown> = {
  listProjects: [
    project,
    { ...project, projectId: hex('8'), name: 'Closed', role: 'viewer', archivedTime: now - 2 * day },
  ],
  getProject: { ...project, archivedTime: now - 2 * day },
  createProject: project,
  createApp: { appid, secret: 'f'.repeat(48) },
  listApps: {
    items: [
      {
        appid,
        name: '咖啡',
        enabled: true,
        capabilities: ['login', 'payment'],
        merchantId: null,
        archivedTime: null,
        ctime: now - 3 * day,
        projectId: hex('9'),
        projectName: 'Default',
        iconUrl: null,
      },
      {
        appid: 'bbbbbbbbbbbbbbb',
        name: 'B\u001b[2J',
        enabled: false,
        capabilities: [],
        merchantId: null,
        archivedTime: null,
        ctime: now,
        projectId: hex('9'),
        projectName: 'Default',
        iconUrl: null,
      },
    ],
    next: null,
  },
  updateApp: true,
  archiveApp: true,
  restoreApp: true,
  deleteApp: true,
  rotateSecret: { secret: 'e'.repeat(48) },
  createUser: { uid: 1001 },
  createCode: { code: '0d9e2c1f-8a51-4d3b-9a6e-3f8c1c1b7a10' },
  pay: { status: 1, failCode: 6 },
  resolvePayment: { status: 2 },
  sandboxInbox: [
    {
      notificationId: hex('5'),
      appid,
      appName: 'Coffee',
      title: 'Paid',
      text: 'Thank you',
      navigateType: '1',
      url: null,
      link: null,
      language: 'en_US',
      read: false,
      ctime: now - 120_000,
    },
  ],
  sandboxHome: [],
  sandboxSetMessageLevel: true,
  moveClock: { now: now + 7_200_000, offset: 7_200_000, moves: [{ time: now, offset: 7_200_000 }] },
  getClock: { now, offset: 0, moves: [] },
  getTrade: { trade, events: [{ time: now - minute, event: 'created', detail: { amount: 1250 } }] },
  refundTrade: refund,
  ledgerBalances: [
    {
      appid,
      appName: 'Tea',
      merchantId: hex('1'),
      currency: 'SAR',
      captured: 1250,
      refunded: 450,
      balance: 800,
      returning: 450,
    },
  ],
  getReconciliation: {
    reconciliation,
    differences: [
      {
        attemptId: hex('5'),
        tradeNo: hex('2'),
        difference: 'notBooked',
        booked: null,
        bookedCurrency: null,
        told: 1250,
        toldCurrency: 'SAR',
        repaired: true,
        detail: null,
      },
    ],
  },
  searchRefunds: { items: [{ ...refund, appid, outTradeNo: 'order-1' }], next: null },
  searchReconciliations: { items: [reconciliation], next: null },
  searchHostUsers: { items: [hostUser], next: null },
  getHostUser: hostUser,
  disableHostUser: { ...hostUser, state: 'disabled' },
  enableHostUser: hostUser,
  eraseHostUser: { ...hostUser, nickName: '–', issuer: null, subject: null, state: 'erased' },
  exportHostUser: {
    user: hostUser,
    attributes: [],
    consents: [],
    openIds: [],
    unionIds: [],
    testerOf: [appid],
    notifications: [],
    activities: [],
    messageLevels: [],
    messageCounts: [],
    cards: [],
    feedback: [],
    recordings: [],
    trades: [],
    refunds: [],
    events: [],
  },
  examine: [
    { check: 'disk', state: 'warning', found: '0.9 GiB are free.', advice: 'Free space.', sentences: [], actions: [] },
  ],
  listVersions: [{ version: '0.1.0', lastMigration: '0001_first.sql', firstStart: now - day, lastStart: now }],
  addServiceAccount: { serviceAccount, token: `souk_sa_${hex('a')}_${'t'.repeat(43)}` },
  listServiceAccounts: [serviceAccount],
  removeServiceAccount: true,
  getMail: {
    server: 'smtps://mail.example:465',
    from: 'souk@mail.example',
    waiting: 1,
    lastSent: null,
    problems: [
      {
        mailId: hex('3'),
        kind: 'invitation',
        recipient: 'layla@mail.example',
        state: 'waiting',
        attempts: 2,
        error: '451 Try later',
        ctime: now,
      },
    ],
  },
  sendTestMail: true,
  sendPasswordReset: true,
  changeEmailOf: { email: null, pending: 'layla@mail.example' },
  listIssuers: [issuer],
  addIssuer: issuer,
  removeIssuer: true,
  listUserScopes: [userScope],
  putUserScope: userScope,
  removeUserScope: true,
  listCustomEvents: [customEvent],
  listErrorRecordings: [
    {
      recordingId: hex('d'),
      fingerprint: hex('e'),
      uid: 7,
      releaseId: hex('6'),
      version: '1.4.0',
      size: 3000,
      ctime: now - 60_000,
    },
  ],
  downloadErrorRecording: '{"souk":"recording"}\n',
  listHostFunctions: [hostFunction],
  putHostFunction: hostFunction,
  removeHostFunction: true,
  listHostFunctionGrants: [{ name: 'loyaltyCard', appid, appName: 'Tea', ctime: now }],
  revokeHostFunction: true,
  listSignOnProviders: [signOnProvider],
  addSignOnProvider: signOnProvider,
  removeSignOnProvider: true,
  allowPasswordSignIn: true,
  enableSignIn: { ...issuer, signIn },
  disableSignIn: issuer,
  listAlertRules: {
    rules: [alertRule, { ...alertRule, ruleId: hex('8'), metric: 'openings', threshold: 1, mutedUntil: now + day }],
    alerts: [
      {
        alertId: hex('4'),
        ruleId: hex('9'),
        metric: 'launchTime',
        event: null,
        value: 5120,
        threshold: 4000,
        raisedTime: now - 2 * day,
        resolvedTime: now - 2 * day + hour,
      },
    ],
  },
  createAlertRule: alertRule,
  muteAlertRule: alertRule,
  deleteAlertRule: true,
  listEventEndpoints: [eventEndpoint],
  addEventEndpoint: { ...eventEndpoint, secret: `whsec_${'A'.repeat(64)}` },
  updateEventEndpoint: eventEndpoint,
  removeEventEndpoint: true,
  rotateEventSecret: { secret: `whsec_${'B'.repeat(64)}` },
  testEventEndpoint: eventDelivery,
  replayEvents: { replayed: 3 },
  searchEventDeliveries: { items: [deliveryRow], next: null },
  getEventDelivery: eventDelivery,
  replayEventDelivery: { ...eventDelivery, attempts: [{ ...eventAttempt, acknowledged: true, status: 200 }] },
  listSigningKeys: { items: [signingKey], next: null },
  approveSigningKey: { ...signingKey, state: 'approved' },
  revokeSigningKey: { ...signingKey, state: 'revoked' },
  listAccounts: {
    items: [
      {
        accountId: hex('a'),
        username: 'layla',
        name: 'Layla',
        language: 'ar',
        email: 'layla@mail.example',
        administrator: true,
        enabled: true,
        suspension: { reason: 'claimMissing', claim: 'groups', since: now - day, deletionTime: null },
        secondFactor: true,
        mayCreateProjects: false,
        ctime: now,
        lastSignIn: now - day,
      },
      {
        accountId: hex('b'),
        username: 'omar',
        name: 'O\u001b[2J',
        language: 'en',
        email: null,
        administrator: false,
        enabled: false,
        suspension: null,
        secondFactor: false,
        mayCreateProjects: false,
        ctime: now,
        lastSignIn: null,
      },
    ],
    next: null,
  },
  updateAccount: true,
  restoreAccount: true,
  endSessionsOf: 2,
  resetFactors: true,
  getKeyRing: keyRing,
  rotateKeys: { ...keyRing, phase: 'distributing' },
  retireKey: keyRing,
  getAdminToken: { enabled: true, file: '/data/admin-token' },
  rotateAdminToken: { token: 'souk_admin_new', file: '/data/admin-token' },
  disableAdminToken: { enabled: false, file: '/data/admin-token' },
  createPasswordReset: {
    token: 't'.repeat(40),
    link: `https://souk.example/console/password-reset#${'t'.repeat(40)}`,
    validUntil: now,
  },
  listProviderAccounts: [account],
  listChangeRequests: { items: [changeRequest], next: null },
  approveChange: { ...changeRequest, state: 'approved' },
  rejectChange: { ...changeRequest, state: 'rejected' },
  listReleases: [
    release,
    { ...release, releaseId: hex('4'), version: '1.3.0', stage: 'published', current: true, publishedTime: now - hour },
    { ...release, releaseId: hex('3'), version: '1.2.0', stage: 'published', publishedTime: now - 2 * hour },
    { ...release, releaseId: hex('2'), version: '1.1.0', stage: 'published', publishedTime: now - 3 * hour },
  ],
  submitRelease: { ...review, state: 'submitted' },
  uploadImage: { fileId: hex('8'), url: 'https://souk.example/files/8.png' },
  setReleaseStage: { ...release, stage: 'development' },
  withdrawRelease: { ...release, version: '1.3.0', stage: 'development' },
  publishRelease: { ...release, stage: 'published', current: true },
  rollBack: { ...release, stage: 'published', current: true },
  startCanary: canary,
  listCanaries: [canary],
  widenCanary: { ...canary, share: 20 },
  pauseCanary: { ...canary, state: 'paused' },
  resumeCanary: canary,
  rollBackCanary: { ...canary, state: 'rolledBack' },
  listReviews: { items: [review], next: null },
  getReview: reviewDetail,
  startReview: review,
  approveRelease: { ...review, state: 'approved' },
  rejectRelease: { ...review, state: 'rejected' },
  updatePlatformSettings: {
    allowedOrigins: [],
    requireSecondFactor: false,
    requireReviews: true,
    maxDailyMessages: null,
  },
  trustProject: true,
  allowProjects: true,
  testProviderAccount: { works: true, reason: null, duration: 12 },
  updateProviderAccount: account,
  listCallbacks: [callback, { ...callback, outTradeNo: 'order-2', state: 'dead', nextAttempt: null, attempts: [] }],
  replayCallback: callback,
  listCallbackReceivers: [
    { appid, host: 'backend.example', state: 'disabled', failingSince: now, disabledAt: now, failing: 0, dead: 12 },
  ],
  enableCallbackReceiver: { replayed: 12 },
  listDatasets: { items: [dataset], next: null },
  getDataset: { ...dataset, fields: datasetFields },
  createDataset: { ...dataset, fields: datasetFields },
  deleteDataset: true,
  listRecords: { items: [{ title: 'One', amount: null }], next: null },
  exportRecords: '{"title":"One"}\n',
  exportAudit: audited.lines.map((line) => `${line}\n`).join(''),
  appendRecords: { appended: 2 },
  deleteRecords: { deleted: 1 },
  listRequests: [
    {
      requestId: 'request-1',
      time: now - 1000,
      appid,
      client: 'souk-python/0.2.0 (CPython 3.11.2)',
      operation: 'trade',
      status: 401,
      code: 'sign_mismatch',
      reason: 'Failed to verify signature.',
      duration: 1.26,
      tradeNo: null,
      diagnosis: { canonicalString: 'appid=…secret=******', mistakes: [] },
    },
  ],
}

interface Call {
  operation: string
  parameters: Record<string, unknown>
  authorization: string | undefined
}

let server: Server
let url: string
let calls: Call[]
/** The refusal of all operations, or of the operation `of`. */
let problem: { status: number; code: string; of?: string } | undefined
/** The first violation of the contract by a request or a prepared answer. */
let fault: unknown

/** Starts a server that checks requests and answers against the contract. */
beforeEach(async () => {
  calls = []
  problem = undefined
  fault = undefined
  server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      fault = error
      response.writeHead(500).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  if (fault !== undefined) throw fault
})

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  for (const operation of [...Object.values(consoleOperations), ...Object.values(platformOperations)] as Operation[]) {
    const path = new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(pathname)
    if (!path || operation.method !== request.method) continue
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
    const texts: Record<string, unknown> = { ...path.groups, ...Object.fromEntries(searchParams) }
    if (typeof texts.fields === 'string') texts.fields = texts.fields.split(',')
    const credential = request.headers.authorization ?? request.headers['x-api-key']
    const parameters = { ...(Value.Convert(operation.parameters, texts) as object), ...body }
    expect(Value.Errors(operation.parameters, parameters)).toEqual([])
    calls.push({ operation: operation.id, parameters, authorization: credential as string | undefined })
    const refusal = (problem?.of ?? operation.id) === operation.id ? problem : undefined
    const answer = refusal
      ? { type: 'about:blank', title: 'Refused.', detail: 'Said why.', requestId: 'request-1', ...refusal }
      : results[operation.id]
    if (!refusal) expect(Value.Errors(operation.result, answer), operation.id).toEqual([])
    response.writeHead(refusal?.status ?? 200, { 'content-type': operation.media?.[0] ?? 'application/json' })
    response.end(operation.media && !refusal ? answer : JSON.stringify(answer))
    return
  }
  response.writeHead(404).end()
}

/** Command lines of tests that print their result with --json. */
const listedLines: string[] = []
function listed<Row extends readonly [line: string, ...unknown[]]>(rows: Row[]): Row[] {
  listedLines.push(...rows.map(([line]) => line))
  return rows
}

async function souk(args: readonly string[], given: Partial<Environment> = {}) {
  const result = await run(args, {
    ...isolated,
    serverUrl: async () => url,
    adminToken: () => ({ token: 'admin-1', source: '/data/admin-token' }),
    apiKey: 'key-1',
    readBytes: async (path) => Buffer.from(path),
    now: () => now,
    ...given,
  })
  if (args.includes('--json') && result.out !== '') {
    for (const line of result.out.trimEnd().split('\n')) expect(JSON.parse(line)).toBeInstanceOf(Object)
  }
  return result
}

const words = (line: string) => line.split(' ')

/** Expects one line of JSON. A plain value comes with a sentence that says what happened. */
function expectPrinted(out: string, result: unknown): void {
  if (typeof result === 'object' && result !== null) expect(out).toBe(`${JSON.stringify(result)}\n`)
  else {
    expect(JSON.parse(out)).toEqual({ result, message: expect.stringMatching(/\w+ .*\w/s) })
    expect(out.trimEnd()).not.toContain('\n')
  }
}

test.each(
  listed([
    ['app create --name N', 'createApp', { name: 'N' }],
    ['app create --name N --language ar_SA', 'createApp', { name: 'N', language: 'ar_SA' }],
    [`app archive ${appid}`, 'archiveApp', { appid }],
    [`app restore ${appid}`, 'restoreApp', { appid }],
    [`app delete ${appid} --name Tea`, 'deleteApp', { appid, name: 'Tea' }],
    [`app update ${appid} --disable`, 'updateApp', { appid, enabled: false }],
    [
      `app update ${appid} --enable --capabilities login,file`,
      'updateApp',
      { appid, enabled: true, capabilities: ['login', 'file'] },
    ],
    [
      `app update ${appid} --capabilities none --merchant-name M`,
      'updateApp',
      { appid, capabilities: [], merchantName: 'M' },
    ],
    [
      `app update ${appid} --name N --request-domains a.example.com,*.b.example.com --web-view-domains none`,
      'updateApp',
      { appid, name: 'N', domains: { request: ['a.example.com', '*.b.example.com'], webView: [] } },
    ],
    [`app update ${appid} --http-200 always`, 'updateApp', { appid, openApiAlways200: true }],
    [`app update ${appid} --http-200 default`, 'updateApp', { appid, openApiAlways200: null }],
    [`project show ${hex('7')}`, 'getProject', { projectId: hex('7') }],
    ['project create --name Shop', 'createProject', { name: 'Shop' }],
    [`approvals approve ${hex('9')}`, 'approveChange', { changeId: hex('9') }],
    [`approvals reject ${hex('9')} --reason No`, 'rejectChange', { changeId: hex('9'), reason: 'No' }],
    [`approvals trust ${hex('7')}`, 'trustProject', { projectId: hex('7'), trusted: true }],
    [`approvals distrust ${hex('7')}`, 'trustProject', { projectId: hex('7'), trusted: false }],
    [`app rotate-secret ${appid}`, 'rotateSecret', { appid, overlap: 86_400 }],
    [`app rotate-secret ${appid} --overlap 1h30m`, 'rotateSecret', { appid, overlap: 5400 }],
    [`app rotate-secret ${appid} --overlap 0s`, 'rotateSecret', { appid, overlap: 0 }],
    ['sandbox user --nickname N', 'createUser', { nickname: 'N' }],
    [
      'sandbox user --nickname N --country +966 --phone 501234567 --email a@b.example --avatar https://c.example/d.png',
      'createUser',
      { nickname: 'N', country: '+966', phone: '501234567', email: 'a@b.example', avatar: 'https://c.example/d.png' },
    ],
    ['users show 10001', 'getHostUser', { uid: 10001 }],
    ['users disable 10001', 'disableHostUser', { uid: 10001 }],
    ['users enable 10001', 'enableHostUser', { uid: 10001 }],
    ['users erase 10001 --yes', 'eraseHostUser', { uid: 10001 }],
    ['users export 10001', 'exportHostUser', { uid: 10001 }],
    ['doctor', 'examine', {}],
    ['versions', 'listVersions', {}],
    ['keys status', 'getKeyRing', {}],
    ['keys rotate', 'rotateKeys', {}],
    [`keys retire ${'a'.repeat(16)}`, 'retireKey', { keyId: 'a'.repeat(16) }],
    ['admin-token status', 'getAdminToken', {}],
    ['admin-token rotate', 'rotateAdminToken', {}],
    ['admin-token disable', 'disableAdminToken', {}],
    [
      `service-accounts add --project ${hex('7')} --name CI --scope releases:write datasets:read --days 30`,
      'addServiceAccount',
      { projectId: hex('7'), name: 'CI', scopes: ['releases:write', 'datasets:read'], days: 30 },
    ],
    [`service-accounts list --project ${hex('7')}`, 'listServiceAccounts', { projectId: hex('7') }],
    [
      `service-accounts remove ${hex('6')} --project ${hex('7')}`,
      'removeServiceAccount',
      { projectId: hex('7'), serviceAccountId: hex('6') },
    ],
    ['mail status', 'getMail', {}],
    ['mail test layla@mail.example', 'sendTestMail', { email: 'layla@mail.example' }],
    ['mail test layla@mail.example --language ar', 'sendTestMail', { email: 'layla@mail.example', language: 'ar' }],
    ['issuers list', 'listIssuers', {}],
    [
      'issuers add --issuer https://id.example --audience souk',
      'addIssuer',
      { issuer: 'https://id.example', audience: 'souk' },
    ],
    [
      'issuers add --issuer me --audience souk --jwks https://id.example/keys --claim subject=id --claim name=a=b --algorithm ES256 --clock-tolerance 5',
      'addIssuer',
      {
        issuer: 'me',
        audience: 'souk',
        jwksUrl: 'https://id.example/keys',
        algorithms: ['ES256'],
        claims: { subject: 'id', name: 'a=b' },
        clockTolerance: 5,
      },
    ],
    [`issuers remove ${hex('9')}`, 'removeIssuer', { issuerId: hex('9') }],
    [
      `issuers enable-sign-in ${hex('9')} --name Example --client-id souk --scope profile groups`,
      'enableSignIn',
      { issuerId: hex('9'), name: 'Example', clientId: 'souk', scopes: ['profile', 'groups'] },
    ],
    [`issuers disable-sign-in ${hex('9')}`, 'disableSignIn', { issuerId: hex('9') }],
    ['scopes list', 'listUserScopes', {}],
    [
      'scopes set user.qid --title-en QID --title-zh 号码 --title-ar البطاقة --field qid=qid_number --field until=a=b --no-consent',
      'putUserScope',
      {
        scope: 'user.qid',
        titles: { en: 'QID', 'zh-Hans': '号码', ar: 'البطاقة' },
        fields: [
          { name: 'qid', claim: 'qid_number' },
          { name: 'until', claim: 'a=b' },
        ],
        requiresConsent: false,
      },
    ],
    ['scopes remove user.qid', 'removeUserScope', { scope: 'user.qid' }],
    [`custom-events list --appid ${appid}`, 'listCustomEvents', { appid }],
    [`recordings list --appid ${appid} --error ${hex('e')}`, 'listErrorRecordings', { appid, fingerprint: hex('e') }],
    ['functions list', 'listHostFunctions', {}],
    ['functions remove loyaltyCard', 'removeHostFunction', { name: 'loyaltyCard' }],
    ['functions grants', 'listHostFunctionGrants', {}],
    [`functions revoke loyaltyCard --appid ${appid}`, 'revokeHostFunction', { name: 'loyaltyCard', appid }],
    [
      'sandbox user --nickname Amal --claim qid_number=1 --claim tier=gold',
      'createUser',
      { nickname: 'Amal', claims: { qid_number: '1', tier: 'gold' } },
    ],
    [`alerts list --appid ${appid}`, 'listAlertRules', { appid }],
    [
      `alerts add --appid ${appid} --metric paymentSuccess`,
      'createAlertRule',
      {
        appid,
        metric: 'paymentSuccess',
        threshold: 60,
        window: 60,
        minCount: 10,
        roles: ['owner', 'editor'],
        accountIds: [],
      },
    ],
    [
      `alerts add --appid ${appid} --metric launchTime --threshold 2500.5 --window 15m --min-count 5 --role viewer`,
      'createAlertRule',
      {
        appid,
        metric: 'launchTime',
        threshold: 2500.5,
        window: 15,
        minCount: 5,
        roles: ['viewer'],
        accountIds: [],
      },
    ],
    [`alerts mute ${hex('9')} --appid ${appid} --for 90s`, 'muteAlertRule', { appid, ruleId: hex('9'), minutes: 2 }],
    [`alerts unmute ${hex('9')} --appid ${appid}`, 'muteAlertRule', { appid, ruleId: hex('9'), minutes: 0 }],
    [`alerts remove ${hex('9')} --appid ${appid}`, 'deleteAlertRule', { appid, ruleId: hex('9') }],
    ['events list', 'listEventEndpoints', {}],
    [
      'events add --url https://backend.example/souk --type user.erased trade.changed --description Push',
      'addEventEndpoint',
      { url: 'https://backend.example/souk', types: ['user.erased', 'trade.changed'], description: 'Push' },
    ],
    [
      'events add --url https://backend.example/souk',
      'addEventEndpoint',
      { url: 'https://backend.example/souk', types: [...subscribedEventTypes] },
    ],
    [
      `events update ${hex('9')} --url https://other.example`,
      'updateEventEndpoint',
      { endpointId: hex('9'), url: 'https://other.example' },
    ],
    [`events enable ${hex('9')}`, 'updateEventEndpoint', { endpointId: hex('9'), enabled: true }],
    [`events disable ${hex('9')}`, 'updateEventEndpoint', { endpointId: hex('9'), enabled: false }],
    [`events remove ${hex('9')}`, 'removeEventEndpoint', { endpointId: hex('9') }],
    [`events rotate-secret ${hex('9')} --overlap 1h`, 'rotateEventSecret', { endpointId: hex('9'), overlap: 3600 }],
    [`events rotate-secret ${hex('9')} --overlap 0s`, 'rotateEventSecret', { endpointId: hex('9'), overlap: 0 }],
    [`events show ${hex('b')}`, 'getEventDelivery', { deliveryId: hex('b') }],
    [`events resend ${hex('b')}`, 'replayEventDelivery', { deliveryId: hex('b') }],
    [`events replay ${hex('b')}`, 'replayEventDelivery', { deliveryId: hex('b') }],
    ['sign-on list', 'listSignOnProviders', {}],
    [
      `sign-on add --name Example --issuer https://id.example --client-id souk --groups-claim roles --suspension-days 7 --role admins=administrator --role a=b=editor:${hex('7')}`,
      'addSignOnProvider',
      {
        name: 'Example',
        issuer: 'https://id.example',
        clientId: 'souk',
        groupsClaim: 'roles',
        suspensionDays: 7,
        roles: [
          { group: 'admins', role: 'administrator' },
          { group: 'a=b', role: 'editor', projectId: hex('7') },
        ],
      },
    ],
    [`sign-on remove ${hex('e')}`, 'removeSignOnProvider', { providerId: hex('e') }],
    ['sign-on allow-passwords', 'allowPasswordSignIn', { allowed: true }],
    ['sign-on forbid-passwords', 'allowPasswordSignIn', { allowed: false }],
    ['signing-keys list', 'listSigningKeys', { limit: 200 }],
    [`signing-keys approve ${'a'.repeat(32)}`, 'approveSigningKey', { keyId: 'a'.repeat(32) }],
    [`signing-keys revoke ${'a'.repeat(32)}`, 'revokeSigningKey', { keyId: 'a'.repeat(32) }],
    [`sandbox code --appid ${appid} --uid 1001`, 'createCode', { appid, uid: 1001 }],
    [
      `sandbox code --appid ${appid} --uid 1001 --scope user.info,user.phone`,
      'createCode',
      { appid, uid: 1001, scope: 'user.info,user.phone' },
    ],
    [
      `sandbox pay ${hex('2')} --uid 1001 --pay-method wallet-a --outcome failed:6`,
      'pay',
      { tradeNo: hex('2'), uid: 1001, payMethod: 'wallet-a', outcome: 'failed:6' },
    ],
    [`sandbox pay ${hex('2')} --uid 1001`, 'pay', { tradeNo: hex('2'), uid: 1001 }],
    [`sandbox resolve ${hex('2')} --outcome succeeded`, 'resolvePayment', { tradeNo: hex('2'), outcome: 'succeeded' }],
    ['sandbox inbox --uid 1001', 'sandboxInbox', { uid: 1001 }],
    ['sandbox home --uid 1001', 'sandboxHome', { uid: 1001 }],
    [
      `sandbox messages --appid ${appid} --uid 1001 --level off`,
      'sandboxSetMessageLevel',
      { appid, uid: 1001, level: 'off' },
    ],
    ['sandbox clock --forward 2h', 'moveClock', { forward: 7_200_000 }],
    ['sandbox clock --reset', 'moveClock', { reset: true }],
    ['sandbox clock', 'getClock', {}],
    [`trade ${hex('2')}`, 'getTrade', { tradeNo: hex('2') }],
    [
      `trades refund ${hex('2')} --reason Why`,
      'refundTrade',
      { tradeNo: hex('2'), note: 'Why', refundNo: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ],
    [
      `trades refund ${hex('2')} --amount 4.5 --reason Why --refund-no ${hex('8')}`,
      'refundTrade',
      { tradeNo: hex('2'), amount: 450, note: 'Why', refundNo: hex('8') },
    ],
    [`ledger --project ${hex('7')}`, 'ledgerBalances', { projectId: hex('7') }],
    [`reconciliations show ${hex('8')}`, 'getReconciliation', { reconciliationId: hex('8') }],
    ['accounts list', 'listAccounts', { sort: 'ctime', limit: 200 }],
    ['providers list', 'listProviderAccounts', {}],
    [`providers list --appid ${appid}`, 'listProviderAccounts', { appid }],
    [`providers test ${hex('8')}`, 'testProviderAccount', { providerAccountId: hex('8') }],
    [`providers disable ${hex('8')}`, 'updateProviderAccount', { providerAccountId: hex('8'), enabled: false }],
    [`providers enable ${hex('8')}`, 'updateProviderAccount', { providerAccountId: hex('8'), enabled: true }],
    [`callbacks list --appid ${appid}`, 'listCallbacks', { appid }],
    [
      `callbacks list --appid ${appid} --state failed --trade ${hex('2')} --limit 5`,
      'listCallbacks',
      { appid, state: 'dead', tradeNo: hex('2'), limit: 5 },
    ],
    [`callbacks list --appid ${appid} --state dead`, 'listCallbacks', { appid, state: 'dead' }],
    [`callbacks resend ${hex('4')}`, 'replayCallback', { notifyId: hex('4') }],
    [`callbacks replay ${hex('4')}`, 'replayCallback', { notifyId: hex('4') }],
    [`callbacks receivers --project ${hex('7')}`, 'listCallbackReceivers', { projectId: hex('7') }],
    [`callbacks enable backend.example --appid ${appid}`, 'enableCallbackReceiver', { appid, host: 'backend.example' }],
    ['requests', 'listRequests', {}],
    [
      `requests --appid ${appid} --failed --client python --limit 5`,
      'listRequests',
      { appid, failed: true, client: 'python', limit: 5 },
    ],
  ]),
)('%s --json calls %s and prints its result, and nothing else', async (line, operation, parameters) => {
  const { status, out, err } = await souk([...words(line), '--json'])
  expect({ status, err }).toEqual({ status: 0, err: '' })
  const isPaged = ['listApps', 'listAccounts', 'listSigningKeys'].includes(operation)
  expectPrinted(out, isPaged ? (results[operation] as { items: unknown[] }).items : results[operation])
  expect(calls).toEqual([{ operation, parameters, authorization: 'Bearer admin-1' }])
})

test.each(
  listed([
    ['app list', { limit: 200 }],
    ['app list --archived', { limit: 200, archived: true }],
  ]),
)('%s --json prints the mini apps of all pages as one list', async (line, parameters) => {
  const { status, out, err } = await souk([...words(line), '--json'])
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expectPrinted(out, (results.listApps as { items: object[] }).items)
  expect(calls).toEqual([{ operation: 'listApps', parameters, authorization: 'Bearer admin-1' }])
})

describe('accounts', () => {
  test.each(
    listed([
      ['accounts reset-password Layla', 'createPasswordReset', { accountId: hex('a') }],
      ['accounts reset-password layla --mail', 'sendPasswordReset', { accountId: hex('a') }],
      ['accounts set-email layla l@mail.example', 'changeEmailOf', { accountId: hex('a'), email: 'l@mail.example' }],
      ['accounts remove-email layla', 'changeEmailOf', { accountId: hex('a'), email: null }],
      ['accounts disable layla', 'updateAccount', { accountId: hex('a'), enabled: false }],
      ['accounts allow-projects layla', 'allowProjects', { accountId: hex('a'), allowed: true }],
      ['accounts deny-projects layla', 'allowProjects', { accountId: hex('a'), allowed: false }],
      ['accounts enable omar', 'updateAccount', { accountId: hex('b'), enabled: true }],
      ['sign-on restore layla', 'restoreAccount', { accountId: hex('a') }],
      ['accounts end-sessions layla', 'endSessionsOf', { accountId: hex('a') }],
      ['accounts reset-factors layla', 'resetFactors', { accountId: hex('a') }],
    ]),
  )(
    '%s --json finds the account by its user name, and prints the result and nothing else',
    async (line, operation, parameters) => {
      const { status, out, err } = await souk([...words(line), '--json'])
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expectPrinted(out, results[operation])
      expect(calls.slice(1)).toEqual([{ operation, parameters, authorization: 'Bearer admin-1' }])
    },
  )

  test('prints a reset link; refuses an unknown user name', async () => {
    const { out } = await souk(words('accounts reset-password layla'))
    expect(out.split('\n')[1]).toBe(`https://souk.example/console/password-reset#${'t'.repeat(40)}`)
    calls = []
    const { status, err } = await souk(words('accounts reset-password lyala'))
    expect({ status, operations: calls.map(({ operation }) => operation) }).toEqual({
      status: 1,
      operations: ['listAccounts'],
    })
    expect(err).toContain('souk accounts list')
  })
})

test('events enable --since enables an endpoint, then sends its failed events again', async () => {
  const { status, out } = await souk([...words(`events enable ${hex('9')} --since 2h`), '--json'])
  expect(status).toBe(0)
  expect(JSON.parse(out)).toEqual({ ...eventEndpoint, replayed: 3 })
  expect(calls).toMatchObject([
    { operation: 'updateEventEndpoint', parameters: { endpointId: hex('9'), enabled: true } },
    { operation: 'getClock' },
    { operation: 'replayEvents', parameters: { endpointId: hex('9'), since: now - 7_200_000 } },
  ])
})

test('keys status shows progress, keys, processes that are not ready, and unreadable values', async () => {
  const { out } = await souk(words('keys status'))
  expect(out).toContain('9 of 12 values are sealed with the current key.')
  expect(out).toMatch(/a{16}\s+old\s+3\s+1 d ago\s+not before in 1 d/)
  expect(out).toMatch(/souk-1 \(7\)\s+file\s+no, has a{16}/)
  expect(out).toContain('Cannot be decrypted: app_secrets (appid a), changed or damaged.')
  expect(out).toContain(`Values are sealed with the unknown key ${'c'.repeat(16)}.`)
})

test('admin-token rotate prints the new token and its file; disable says how to switch it on again', async () => {
  expect((await souk(words('admin-token rotate'))).out).toContain('stored in /data/admin-token:\nsouk_admin_new\n')
  expect((await souk(words('admin-token disable'))).out).toContain('create an empty file /data/admin-token and restart')
})

describe('canaries', () => {
  const ofCanary = { appid, releaseId: hex('5') }
  test.each([
    [
      `canary start --appid ${appid} --share 5 --uid 10001 --uid 10002 --language ar --system iOS --factor 3 --min-openings 50`,
      'startCanary',
      { ...ofCanary, share: 5, uids: [10001, 10002], languages: ['ar'], systems: ['iOS'], factor: 3, minOpenings: 50 },
    ],
    [
      `canary widen --appid ${appid} --share 20 --uid 10003`,
      'widenCanary',
      { ...ofCanary, share: 20, uids: [10001, 10003] },
    ],
    [`canary pause --appid ${appid}`, 'pauseCanary', ofCanary],
    [`canary resume --appid ${appid}`, 'resumeCanary', ofCanary],
    [`canary roll-back --appid ${appid}`, 'rollBackCanary', ofCanary],
    [`canary finish --appid ${appid}`, 'publishRelease', ofCanary],
  ])('%s', async (line, operation, parameters) => {
    expect((await souk(words(line))).status).toBe(0)
    expect(calls.at(-1)).toMatchObject({ operation, parameters })
  })

  test('canary show compares both releases', async () => {
    const { out } = await souk(words(`canary show --appid ${appid}`))
    expect(out).toMatch(
      /1\.4\.0 for Mini App\s+running\s+5 %\s+canary\s+3\s+30\s+1\s+2\n\s+published\s+60\s+600\s+4\s+5/,
    )
  })
})

describe('reviews', () => {
  const ofRelease = (start: string) => ({ appid, releaseId: hex(start) })
  test.each([
    [`submit --appid ${appid}`, 'submitRelease', { ...ofRelease('5'), screenshots: [] }],
    [
      `submit --appid ${appid} --version 1.4.0 --platform miniapp --note New --test-account layla`,
      'submitRelease',
      { ...ofRelease('5'), screenshots: [], note: 'New', testAccount: 'layla' },
    ],
    [
      `submit --appid ${appid} --screenshot menu.png cart.png`,
      'submitRelease',
      { ...ofRelease('5'), screenshots: [hex('8')] },
    ],
    [`publish --appid ${appid} --version 1.4.0`, 'publishRelease', ofRelease('5')],
    [`roll-back --appid ${appid} --version 1.3.0`, 'rollBack', ofRelease('4')],
    [`roll-back --appid ${appid}`, 'rollBack', ofRelease('3')],
    [
      `publish --appid ${appid} --at 2026-12-01T09:00:00+03:00`,
      'publishRelease',
      { ...ofRelease('5'), publishTime: Date.UTC(2026, 11, 1, 6) },
    ],
    [`submit --appid ${appid} --withdraw`, 'setReleaseStage', { ...ofRelease('5'), stage: 'development' }],
    [`submit --appid ${appid} --version 1.3.0 --withdraw`, 'withdrawRelease', ofRelease('4')],
    [`review show --appid ${appid}`, 'getReview', ofRelease('5')],
    [`review start ${hex('6')}`, 'startReview', { reviewId: hex('6') }],
    [`review approve ${hex('6')} --note Soon`, 'approveRelease', { reviewId: hex('6'), note: 'Soon' }],
    [
      `review approve ${hex('6')} --grant loyaltyCard`,
      'approveRelease',
      { reviewId: hex('6'), hostFunctions: ['loyaltyCard'] },
    ],
    [
      `review reject ${hex('6')} --reason payment=No=price --reason Unclear`,
      'rejectRelease',
      {
        reviewId: hex('6'),
        reasons: [
          { item: 'payment', text: 'No=price' },
          { item: 'other', text: 'Unclear' },
        ],
      },
    ],
    ['review require', 'updatePlatformSettings', { requireReviews: true }],
    ['review waive', 'updatePlatformSettings', { requireReviews: false }],
  ])('%s', async (line, operation, parameters) => {
    const { status, out } = await souk(words(line))
    expect(status).toBe(0)
    expect(out).not.toContain('\u001b')
    expect(calls.at(-1)).toMatchObject({ operation, parameters })
  })

  test.each([
    ['review list', { limit: 200, open: true }, { limit: 200, state: 'pending' }],
    [`review list --appid ${appid} --all`, { limit: 200, appid }, { limit: 200, appid }],
  ])('%s lists reviews and requests', async (line, ofReviews, ofRequests) => {
    const { out } = await souk(words(line))
    expect(out).toContain('1.4.0 for Mini App')
    expect(out).toContain('in review')
    expect(out).toContain('pending')
    expect(out).not.toContain('\u001b')
    expect(calls).toMatchObject([
      { operation: 'listReviews', parameters: ofReviews },
      { operation: 'listChangeRequests', parameters: ofRequests },
    ])
  })

  test('show says what differs from the published release, and what happened', async () => {
    const { out } = await souk(words(`review show --appid ${appid}`))
    expect(out).toContain('201 added, 1 changed, 1 removed, since 1.3.0')
    expect(out).toContain('+ a.txt (1.2 KB)\n+ and 200 more\n~ c.txt (2.0 KB → 3.0 KB)\n- b.txt (0.1 KB)\n')
    expect(out).toContain('rejected by Layla: payment: No price. Note: Almost')
  })

  test('a release that does not exist, and a rejection without a reason', async () => {
    expect((await souk(words(`submit --appid ${appid} --version 9`))).status).toBe(1)
    const withoutZone = await souk(words(`publish --appid ${appid} --at 2026-12-01T09:00`))
    expect([withoutZone.status, withoutZone.err]).toEqual([2, expect.stringContaining('Use a time with its zone')])
    expect((await souk(words(`publish --appid ${appid} --at 2027-02-31T09:00:00Z`))).status).toBe(2)
    expect((await souk(words(`review reject ${hex('6')}`))).status).toBe(2)
  })
})

describe('link', () => {
  const link = (line: string) => souk(words(`link --appid ${appid} ${line}`))

  test('prints the link of the published release, and its QR code', async () => {
    const { out, err } = await link('--page pages/menu/menu?table=3')
    expect(err).toContain('A phone cannot open localhost.')
    const lines = out.trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(new RegExp(`/host/apps/${appid}\\?page=pages%2Fmenu%2Fmenu%3Ftable%3D3$`))
    expect(lines.length).toBeGreaterThan(15)
    expect(calls).toEqual([])
  })

  test('links to a version or to a stage, not to both', async () => {
    const { out, err } = await link('--version 1.4.0 --json')
    expect(err).toBe('')
    expect(JSON.parse(out)).toEqual({ link: expect.stringMatching(new RegExp(`\\?release=${hex('5')}$`)) })
    expect((await link('--stage review')).out).toContain(`/host/apps/${appid}?stage=review\n`)
    expect((await link('--stage review --version 1.4.0')).status).toBe(2)
    expect((await link('--version 9')).status).toBe(1)
  })
})

describe('approvals', () => {
  test.each(
    listed([
      ['approvals list', { limit: 200, state: 'pending' }],
      [`approvals list --appid ${appid} --all`, { limit: 200, appid }],
    ]),
  )('%s --json prints the requests, and nothing else', async (line, parameters) => {
    const { status, out } = await souk([...words(line), '--json'])
    expect({ status, out }).toEqual({ status: 0, out: `${JSON.stringify([changeRequest])}\n` })
    expect(calls).toMatchObject([{ operation: 'listChangeRequests', parameters }])
  })

  test('list shows requested values without control characters; reject needs a reason', async () => {
    const { out } = await souk(words('approvals list'))
    expect(out).toContain('"National Bank"')
    expect(out).not.toContain('\u001b')
    expect((await souk(words(`approvals reject ${hex('9')}`))).status).toBe(2)
  })

  test('app update says that a change awaits approval', async () => {
    results.updateApp = false
    try {
      const { out } = await souk(words(`app update ${appid} --name N`))
      expect(out).toContain(`souk approvals list --appid ${appid}`)
    } finally {
      results.updateApp = true
    }
  })
})

describe('money', () => {
  test.each([
    [`trades refunds --project ${hex('7')} --state owed`, { projectId: hex('7'), limit: 200, state: 'owed' }, 'refund'],
    [
      `reconciliations list --project ${hex('7')} --differing`,
      { projectId: hex('7'), limit: 200, differing: true },
      'reconciliation',
    ],
  ])('%s prints the items of the list', async (line, parameters, heading) => {
    const { status, out } = await souk([...words(line), '--json'])
    const [call] = calls
    expect({ status, parameters: call?.parameters }).toEqual({ status: 0, parameters })
    expect(JSON.parse(out)).toEqual((results[call!.operation] as { items: unknown }).items)
    expect((await souk(words(line))).out).toContain(heading)
  })

  test('exits with 1 for differences and for a failed provider test', async () => {
    const before = { ...results }
    results.searchReconciliations = { items: [{ ...reconciliation, differences: 2 }], next: null }
    results.testProviderAccount = { works: false, reason: 'Stripe answers 401', duration: 12 }
    expect((await souk(words(`reconciliations list --project ${hex('7')}`))).status).toBe(1)
    const { status, out } = await souk(words(`providers test ${hex('8')}`))
    expect({ status, out }).toEqual({ status: 1, out: 'Test failed: Stripe answers 401\n' })
    Object.assign(results, before)
  })

  test('doctor exits with 1 if a check finds an error, and prints the advice', async () => {
    const [finding] = results.examine as object[]
    results.examine = [{ ...finding, state: 'error' }]
    const { status, out } = await souk(['doctor'])
    expect(status).toBe(1)
    expect(out).toMatch(/error +disk +0\.9 GiB are free\.\n +Free space\./)
    results.examine = [finding]
  })

  test('issuers enable-sign-in reads the client secret, and prints the addresses to register', async () => {
    const command = `issuers enable-sign-in ${hex('9')} --name Example --client-id souk --client-secret-file -`
    const { out } = await souk(words(command), { readStdin: async () => 'client-secret\n' })
    expect(calls).toMatchObject([{ parameters: { clientSecret: 'client-secret' } }])
    for (const address of [signIn.redirectUrl, signIn.signOutRedirectUrl, signIn.backChannelLogoutUrl]) {
      expect(out).toContain(address)
    }
  })

  test.each([
    ['issuers add --issuer https://id.example --audience souk --pem key.pem', 'key.pem is empty.'],
    [
      `issuers enable-sign-in ${hex('9')} --name Example --client-id souk --client-secret-file -`,
      'Standard input contains no client secret.',
    ],
  ])('%s refuses an empty file, which Souk would ignore', async (command, message) => {
    const given = { readFile: async () => '\n', readStdin: async () => '\n' }
    expect(await souk(words(command), given)).toMatchObject({ status: 2, err: `souk: ${message}\n` })
    expect(calls).toEqual([])
  })

  test('alerts list prints conditions, values and states; unknown metrics and windows are usage errors', async () => {
    const { out } = await souk(['alerts', 'list', '--appid', appid])
    expect(out).toMatch(/launchTime > 4000 ms in 1 h, from 20 +5120 ms +raised +1 min ago/)
    expect(out).toMatch(/openings < 1 in 1 h, from 20 +5120 +muted, ends in 1 d/)
    expect(out).toMatch(/launchTime +5120 ms +2 d ago +after 1 h/)
    const tooLong = await souk(words(`alerts mute ${hex('9')} --appid ${appid} --for 31d`))
    expect([tooLong.status, tooLong.err]).toEqual([2, expect.stringContaining('Use at most 30d.')])
    for (const line of ['--metric speed', '--metric errors --window 2h', '--metric errors --threshold -1', '']) {
      expect((await souk(words(`alerts add --appid ${appid} ${line}`))).status, line).toBe(2)
    }
  })

  test('events list, show and deliveries print states and responses without control characters', async () => {
    expect((await souk(['events', 'list'])).out).toMatch(/https:\/\/backend\.example\/souk +failing +in 30 s +1 +2 /)
    const { out } = await souk([
      ...words(`events deliveries --endpoint ${hex('9')} --state pending --type user.erased`),
    ])
    expect(calls.find(({ operation }) => operation === 'searchEventDeliveries')?.parameters).toEqual({
      limit: 200,
      endpointId: hex('9'),
      state: 'pending',
      type: 'user.erased',
    })
    expect(out).toMatch(/user\.erased +pending +1 +500 o/)
    expect(out).not.toContain('\u001b')
    const json = await souk(['events', 'deliveries', '--json'])
    expect(json.out).toBe(`${JSON.stringify([deliveryRow])}\n`)
    expect((await souk(['events', 'show', hex('b')])).out).toContain('"type": "endpoint.tested"')
  })

  test('events add shows the secret once; unknown types and empty commands are usage errors', async () => {
    const { out } = await souk(words('events add --url https://backend.example/souk'))
    expect(out).toContain(`whsec_${'A'.repeat(64)}`)
    calls = []
    for (const line of [
      'events add --url https://backend.example --type order.created',
      'events add',
      `events update ${hex('9')}`,
      'events resend',
      'events deliveries --state broken',
      `events resend ${hex('b')} --endpoint ${hex('9')}`,
    ]) {
      expect([line, (await souk(words(line))).status]).toEqual([line, 2])
    }
    expect(calls).toEqual([])
  })

  test('a delivery whose attempts are over has failed, as in the console; JSON has the word of the API', async () => {
    const line = words(`events show ${hex('b')}`)
    expect((await souk(line)).out).toContain(': failed')
    expect(JSON.parse((await souk([...line, '--json'])).out).state).toBe('dead')
    expect((await souk(words('events list'))).out).toMatch(/PENDING +FAILED/)
  })

  test.each([
    [`events resend --endpoint ${hex('9')} --since 2h`, 'replayEvents', { endpointId: hex('9') }],
    [`events enable ${hex('9')} --since 2h`, 'replayEvents', { endpointId: hex('9') }],
    [
      `callbacks enable backend.example --appid ${appid} --since 2h`,
      'enableCallbackReceiver',
      { appid, host: 'backend.example' },
    ],
  ])('%s counts by the clock of the server, which a sandbox can move', async (line, operation, parameters) => {
    results.getClock = { now: now + day, offset: day, moves: [{ time: now, offset: day }] }
    await souk(words(line))
    results.getClock = { now, offset: 0, moves: [] }
    expect(calls.at(-1)).toMatchObject({ operation, parameters: { ...parameters, since: now + 79_200_000 } })
  })

  test('events test exits with 1 unless the event is acknowledged', async () => {
    expect(await souk(words(`events test ${hex('9')}`))).toMatchObject({
      status: 1,
      out: expect.stringContaining('✗ 1. 500'),
    })
    results.testEventEndpoint = { ...eventDelivery, state: 'delivered' }
    expect((await souk(words(`events test ${hex('9')}`))).status).toBe(0)
    results.testEventEndpoint = eventDelivery
  })

  test('mail status shows mails that could not be sent, and says what to set without a mail server', async () => {
    const { out } = await souk(['mail', 'status'])
    expect(out).toMatch(/smtps:\/\/mail\.example:465[\s\S]*invitation +layla@mail\.example +waiting +2 .*451 Try later/)
    const before = results.getMail
    results.getMail = { server: null, from: null, waiting: 0, lastSent: null, problems: [] }
    expect((await souk(['mail', 'status'])).out).toContain('SOUK_SMTP_URL')
    results.getMail = before
  })

  test.each(['x', 'x=king', 'x=owner', `x=administrator:${hex('7')}`])(
    'sign-on add refuses the role %s',
    async (role) => {
      const command = 'sign-on add --name Example --issuer https://id.example --client-id souk --role'
      expect(await souk([...words(command), role])).toMatchObject({
        status: 2,
        err: expect.stringContaining('projectId'),
      })
      expect(calls).toEqual([])
    },
  )

  test('sign-on suspended says why an account is suspended, and when what it has is deleted', async () => {
    const { out } = await souk(['sign-on', 'suspended'])
    expect(out).toMatch(/layla +Layla +the provider did not send the claim groups +1 d ago +never/)
    expect(out).not.toContain('omar')
  })

  test('users list --json prints the users; an erasure needs --yes', async () => {
    const { status, out } = await souk(['users', 'list', '--text', 'lay', '--state', 'enabled', '--json'])
    expect({ status, out }).toEqual({ status: 0, out: `${JSON.stringify([hostUser])}\n` })
    expect(calls).toMatchObject([{ parameters: { text: 'lay', state: 'enabled', limit: 200 } }])
    expect(await souk(['users', 'erase', '10001'])).toMatchObject({ status: 2, err: expect.stringContaining('--yes') })
    expect(await souk(['users', 'show', 'layla'])).toMatchObject({
      status: 2,
      err: 'souk: layla is not a user id, such as 10001.\n',
    })
    expect(calls).toHaveLength(1)
  })

  test.each(['0', '1.234', 'x', '-1'])('refuses the amount %s', async (amount) => {
    const { status, err } = await souk(['trades', 'refund', hex('2'), '--reason', 'Why', '--amount', amount])
    expect({ status, calls }).toEqual({ status: 2, calls: [] })
    expect(err).toContain('amount such as 12.50')
  })
})

describe('datasets', () => {
  const datasetId = dataset.datasetId
  async function* twoLines() {
    yield '{"title":"One"}'
    yield ''
    yield '{"title":"Two","amount":5}'
  }

  test.each(
    listed([
      ['datasets list', 'listDatasets', { limit: 1000 }, [dataset]],
      [`datasets list --project ${hex('7')}`, 'listDatasets', { limit: 1000, projectId: hex('7') }, [dataset]],
      [`datasets show ${datasetId}`, 'getDataset', { datasetId }, results.getDataset],
      [
        `datasets records ${datasetId} --limit 5 --filter amount>1 --fields title,amount`,
        'listRecords',
        { datasetId, limit: 5, filter: 'amount>1', fields: ['title', 'amount'] },
        [{ title: 'One', amount: null }],
      ],
      [
        `datasets create --project ${hex('7')} --name visits --fields title:string!,at:time`,
        'createDataset',
        {
          projectId: hex('7'),
          name: 'visits',
          fields: [
            { name: 'title', type: 'string', required: true },
            { name: 'at', type: 'time', required: false },
          ],
        },
        results.createDataset,
      ],
      [`datasets delete ${datasetId} --yes`, 'deleteDataset', { datasetId }, true],
      [
        `datasets delete-records ${datasetId} --filter title=x`,
        'deleteRecords',
        { datasetId, filter: 'title=x' },
        results.deleteRecords,
      ],
    ]),
  )(
    '%s --json asks with the API key and prints the result, and nothing else',
    async (line, operation, parameters, printed) => {
      const { status, out, err } = await souk([...words(line), '--json'])
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expectPrinted(out, printed)
      expect(calls).toEqual([{ operation, parameters, authorization: 'key-1' }])
    },
  )

  test('append sends the lines of a file as records', async () => {
    const { status, out } = await souk(['datasets', 'append', datasetId, 'x.ndjson'], { readLines: twoLines })
    expect([status, out]).toEqual([0, 'Appended 2 records.\n'])
    const { batchId: _, ...parameters } = calls[0]!.parameters
    expect(parameters).toEqual({ datasetId, records: [{ title: 'One' }, { title: 'Two', amount: 5 }] })
  })

  test('append stops at an invalid line and names it', async () => {
    async function* lines() {
      yield '{"title":"One"}'
      yield '[1]'
    }
    const { status, err } = await souk(['datasets', 'append', datasetId, 'x.ndjson'], { readLines: lines })
    expect(status).toBe(2)
    expect(err).toContain('x.ndjson, line 2: not a JSON object.')
    expect(calls).toEqual([])
  })

  test('append that stops after a stored batch says how many records were stored', async () => {
    async function* lines() {
      for (let number = 1; number <= 1001; number++) yield '{"title":"One"}'
      yield '[1]'
    }
    const { status, err } = await souk(['datasets', 'append', datasetId, 'x.ndjson'], { readLines: lines })
    expect([status, err]).toEqual([
      2,
      'souk: The first 2 records were stored, then: x.ndjson, line 1002: not a JSON object.\n',
    ])
    expect(calls).toHaveLength(1)
  })

  test('export writes only the data to standard output or a file', async () => {
    const written: [string, string | undefined][] = []
    const write: Environment['write'] = async (bytes, path) => {
      written.push([await new Response(bytes).text(), path])
    }
    const exporting = ['datasets', 'export', datasetId, '--format', 'csv', '--keep-formulas']
    expect(await souk(exporting, { write })).toEqual({ status: 0, out: '', err: '' })
    expect(await souk([...exporting, '--out', 'x.csv'], { write })).toEqual({
      status: 0,
      out: 'Wrote x.csv.\n',
      err: '',
    })
    expect(written).toEqual([
      ['{"title":"One"}\n', undefined],
      ['{"title":"One"}\n', 'x.csv'],
    ])
    expect(calls[0]!.parameters).toEqual({ datasetId, format: 'csv', formulas: 'keep' })
  })

  test('an interrupted export leaves no file', async () => {
    const interrupt = new AbortController()
    server.removeAllListeners('request').on('request', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"title":"One"}\n')
      setTimeout(() => interrupt.abort(new Failure(1, 'Interrupted.')), 20)
    })
    const folder = await mkdtemp(join(tmpdir(), 'souk-export-'))
    const exported = await souk(['datasets', 'export', datasetId, '--out', join(folder, 'x.ndjson')], {
      write: systemEnvironment().write,
      untilInterrupted: () => interrupt.signal,
    })
    expect([exported, await readdir(folder)]).toEqual([{ status: 1, out: '', err: 'souk: Interrupted.\n' }, []])
    await rm(folder, { recursive: true })
  })

  test('reads the key from the variable or standard input, never from the command line', async () => {
    const fromStdin = await souk(['datasets', 'list', '--api-key-stdin'], { readStdin: async () => ' key-2\n' })
    expect(fromStdin.status).toBe(0)
    expect(calls[0]!.authorization).toBe('key-2')
    const none = await souk(['datasets', 'list'], { apiKey: undefined })
    expect([none.status, none.err]).toEqual([
      2,
      expect.stringMatching(/^souk: SOUK_API_KEY is not set\.\n.*SOUK_TOKEN/),
    ])
    expect((await souk(['datasets', 'list', '--api-key', 'key-3'])).status).toBe(2)
    expect((await souk(['datasets', 'list', '--help'])).out).not.toMatch(/--api-key(?!-stdin)/)
  })

  test('exits with 1 for errors and 2 for an invalid key, with advice; delete requires --yes', async () => {
    problem = { status: 403, code: 'permission_denied' }
    expect(await souk(['datasets', 'show', datasetId])).toMatchObject({
      status: 1,
      err: expect.stringContaining('Said why.'),
    })
    problem = { status: 401, code: 'api_key_invalid' }
    const refused = await souk(['datasets', 'show', datasetId])
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('API Key Management')])
    expect(refused.err).not.toContain('key-1')
    calls = []
    expect((await souk(['datasets', 'delete', datasetId])).err).toContain('Add --yes to confirm.')
    expect(calls).toEqual([])
    const away = await souk(['datasets', 'list'], { serverUrl: async () => 'http://127.0.0.1:1' })
    expect([away.status, away.err]).toEqual([2, expect.stringContaining('cannot be reached')])
  })

  test('prints tables without --json', async () => {
    expect((await souk(['datasets', 'show', datasetId])).out).toContain('title     string  required   What it says')
    expect((await souk(['datasets', 'records', datasetId])).out).toBe('title  amount\nOne    –\n')
  })
})

describe('custom-events', () => {
  test('list says who has set each event; pull writes them as the project declares them', async () => {
    expect((await souk(['custom-events', 'list', '--appid', appid])).out).toMatch(
      /addToCart +category, price, member +release 1\.2\.0/,
    )
    const folder = await mkdtemp(join(tmpdir(), 'souk-custom-events-'))
    const { openProject, write } = systemEnvironment()
    await writeFile(join(folder, 'pages.json'), '{ "pages": [] }')
    expect(await souk(['custom-events', 'pull', folder, '--appid', appid], { openProject, write })).toMatchObject({
      status: 0,
      out: expect.stringContaining('Wrote 1 event to '),
    })
    const { name, ...declared } = consoleOperations.putCustomEvent.example
    const text = await readFile(join(folder, 'custom-events.json'), 'utf8')
    expect(JSON.parse(text)).toEqual({ [name as string]: declared })
    await rm(folder, { recursive: true })
  })
})

describe('functions', () => {
  test('set declares what a file says, without a question by default', async () => {
    const { name, question: _, ...declared } = consoleOperations.putHostFunction.example
    const readFile = async () => JSON.stringify(declared)
    expect(await souk(['functions', 'set', name, 'card.json', '--json'], { readFile })).toMatchObject({ status: 0 })
    expect(calls).toMatchObject([{ operation: 'putHostFunction', parameters: { name, question: null, ...declared } }])
    const broken = await souk(['functions', 'set', name, 'card.json'], { readFile: async () => '[]' })
    expect(broken).toMatchObject({ status: 2, err: expect.stringContaining('card.json is not a JSON object.') })
  })

  test('add writes the declaration beside those that the project has', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-functions-'))
    const file = join(folder, 'host-functions.json')
    const { openProject, readFile: read, write } = systemEnvironment()
    const add = (name: string) =>
      souk(['functions', 'add', name, folder, '--json'], { openProject, readFile: read, write })
    await writeFile(join(folder, 'pages.json'), '{ "pages": [] }')
    const added = await add('loyaltyCard')
    expect(added).toMatchObject({ status: 0 })
    expect(JSON.parse(added.out)).toMatchObject({ name: 'loyaltyCard' })
    const { name, ...declared } = consoleOperations.putHostFunction.example
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ [name as string]: declared })
    await writeFile(file, '{ "bookTaxi": {} }')
    await add('loyaltyCard')
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')))).toEqual(['bookTaxi', 'loyaltyCard'])
    expect(await add('readMind')).toMatchObject({ status: 1, err: expect.stringContaining('souk functions list') })
    await rm(folder, { recursive: true })
  })
})

describe('audit', () => {
  const { lines, hashes } = audited
  const head = hashes.at(-1)!
  const verify = (kept: readonly string[], ...args: string[]) =>
    souk(['audit', 'verify', 'audit.ndjson', ...args], {
      readLines: async function* () {
        yield* kept
      },
    })

  test('verify prints the head of an intact export, and of the server', async () => {
    const intact = { status: 0, err: '', out: `Verified 5 rows. Head: ${head}\n` }
    expect(await verify(lines)).toEqual(intact)
    expect(await souk(['audit', 'verify'])).toEqual(intact)
    expect(calls).toEqual([{ operation: 'exportAudit', parameters: {}, authorization: 'Bearer admin-1' }])
    expect((await verify(lines, '--json')).out).toBe(`${JSON.stringify({ position: 5, hash: head })}\n`)
  })

  test('verify names the first row that was changed, removed, inserted or moved', async () => {
    const [first, second, third, ...rest] = lines as [string, string, string, ...string[]]
    const inserted = auditLines(3).lines[2]!.replace('"subject":"3"', '"subject":"4"')
    for (const [kept, message] of [
      [[first, second.replace('"subject":"2"', '"subject":"0"'), third, ...rest], 'Line 2 is row 2 (auditId 7)'],
      [[first, third, ...rest], 'Line 2 is row 3 (auditId 8), expected row 2'],
      [[first, second, inserted, third, ...rest], 'Line 3 is row 3 (auditId 8)'],
      [[first, third, second, ...rest], 'Line 2 is row 3 (auditId 8), expected row 2'],
      [[second, third, ...rest], 'Line 1 is row 2 (auditId 7), expected row 1'],
    ] as const) {
      const { status, out, err } = await verify(kept)
      expect({ status, out }).toEqual({ status: 1, out: '' })
      expect(err).toContain(message)
    }
  })

  test('verify refuses an empty export', async () => {
    expect(await verify([])).toMatchObject({ status: 1, out: '', err: expect.stringContaining('contains no rows.') })
  })

  test('verify --expect-head detects removed rows at the end, and accepts rows added since', async () => {
    expect((await verify(lines.slice(0, 4))).status).toBe(0)
    const truncated = await verify(lines.slice(0, 4), '--expect-head', head)
    expect([truncated.status, truncated.err]).toEqual([1, expect.stringContaining(`No row has the hash ${head}.`)])
    expect((await verify(lines, '--expect-head', hashes[3]!)).status).toBe(0)
    expect((await verify(lines, '--expect-head', '0'.repeat(64))).status).toBe(0)
    expect((await verify(lines, '--expect-head', 'f'.repeat(64))).status).toBe(1)
    expect((await verify(lines, '--expect-head', 'abc')).status).toBe(2)
  })

  test('export writes only the data to standard output or a file', async () => {
    const written: [string, string | undefined][] = []
    const write: Environment['write'] = async (bytes, path) => {
      written.push([await new Response(bytes).text(), path])
    }
    expect(await souk(['audit', 'export'], { write })).toEqual({ status: 0, out: '', err: '' })
    expect((await souk(['audit', 'export', '--out', 'a.ndjson'], { write })).out).toBe('Wrote a.ndjson.\n')
    expect(written.map(([, path]) => path)).toEqual([undefined, 'a.ndjson'])
    expect(written[0]![0]).toBe(results.exportAudit)
  })

  test('a response that breaks off is the reason, not the file', async () => {
    server.removeAllListeners('request').on('request', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(lines[0]!.slice(0, 9))
      setTimeout(() => response.destroy(), 20)
    })
    const file = join(await mkdtemp(join(tmpdir(), 'souk-audit-')), 'audit.ndjson')
    await writeFile(file, 'of yesterday')
    const broken = { status: 2, out: '', err: expect.stringContaining(`Souk at ${url} broke off its response`) }
    for (const args of [['export', '--out', file], ['verify']]) {
      expect(await souk(['audit', ...args], { write: systemEnvironment().write })).toEqual(broken)
    }
    expect([await readdir(dirname(file)), await readFile(file, 'utf8')]).toEqual([['audit.ndjson'], 'of yesterday'])
    await rm(dirname(file), { recursive: true })
  })
})

describe('output without --json', () => {
  test.each([
    [
      'accounts list',
      [
        'layla      Layla  layla@mail.example  suspended  yes            yes            1 d ago',
        'omar       O',
        'disabled   –',
      ],
    ],
    [
      `service-accounts list --project ${hex('7')}`,
      [hex('6'), 'CI    releases:write, datasets:read  in 30 d  1 d ago from 192.0.2.1'],
    ],
    [
      `service-accounts add --project ${hex('7')} --name CI --scope releases:write`,
      ['Added CI, which expires in 30 d.', 'SOUK_TOKEN', `souk_sa_${hex('a')}_${'t'.repeat(43)}`],
    ],
    ['project list', [`${hex('7')}  Shop  owner  2          3        3 d ago`]],
    ['project list --archived', [`${hex('8')}  Closed  viewer`]],
    [`project show ${hex('7')}`, ['archived 2 d ago', 'your role  owner', 'changes    reviewed']],
    ['project create --name Shop', ['Created Shop', `project  ${hex('7')}`]],
    ['app create --name Coffee', ['Created Coffee.', `appid   ${appid}`, `secret  ${'f'.repeat(48)}`]],
    ['sandbox user --nickname Amal', ['Created Amal with uid 1001.']],
    [`sandbox pay ${hex('2')} --uid 1001`, ['failed, 6 (Card processor B 3-D Secure authentication rejected)']],
    [`sandbox resolve ${hex('2')} --outcome succeeded`, ['Result for the payer: succeeded.']],
    ['sandbox home --uid 1001', ['No activity messages.']],
    ['sandbox inbox --uid 1001', ['WHEN', '2 min ago  Coffee  Paid   Thank you  the mini app']],
    ['sandbox clock --forward 2h', ['2 h ahead of real time: 2023-11-15T00:13:20.000Z']],
    [
      `callbacks list --appid ${appid}`,
      [
        ...['order-1 succeeded 1 min ago: delivered', '✗ 1. no response: timeout', '✓ 2. 200 success'],
        ...['order-2 succeeded 1 min ago: failed', 'Not sent: its host is disabled.'],
      ],
    ],
    [
      'requests',
      [
        '401 trade',
        'client: souk-python/0.2.0 (CPython 3.11.2)',
        'sign_mismatch: Failed to verify signature.',
        'canonical string: appid=…',
      ],
    ],
    [`trade ${hex('2')}`, ['failed: Transaction failed (27)', '12.50 SAR', 'created {"amount":1250}']],
    ['sandbox outcomes', ['90006            failed:6']],
  ])('%s', async (line, expected) => {
    const { status, out } = await souk(words(line))
    expect(status).toBe(0)
    for (const part of expected) expect(out).toContain(part)
  })

  test('aligns columns, including wide characters, and escapes control characters in names', async () => {
    const { out } = await souk(['app', 'list'])
    expect(out).toBe(
      [
        'APPID            NAME  STATE     CAPABILITIES    CREATED',
        'aaaaaaaaaaaaaaa  咖啡  enabled   login, payment  3 d ago',
        'bbbbbbbbbbbbbbb  B     disabled  –               now',
        '',
      ].join('\n'),
    )
  })

  test('uses colors on a terminal', async () => {
    const { out } = await souk(['app', 'list'], { colors: true })
    expect(out).toContain('\u001b[32menabled\u001b[39m')
  })
})

test('project list prints the projects that are not archived, or only the archived ones', async () => {
  const idsOf = async (...options: string[]) => {
    const { out } = await souk(['project', 'list', '--json', ...options])
    return (JSON.parse(out) as { projectId: string }[]).map(({ projectId }) => projectId)
  }
  expect(await idsOf()).toEqual([hex('7')])
  expect(await idsOf('--archived')).toEqual([hex('8')])
})

describe('help', () => {
  const leaves = [
    'accounts list',
    'accounts reset-password',
    'accounts enable',
    'accounts end-sessions',
    'accounts reset-factors',
    'accounts allow-projects',
    'accounts deny-projects',
    'approvals list',
    'approvals approve',
    'approvals reject',
    'approvals trust',
    'approvals distrust',
    'accounts disable',
    'app create',
    'app list',
    'app update',
    'app archive',
    'app restore',
    'app rotate-secret',
    'project list',
    'project show',
    'project create',
    'sandbox user',
    'sandbox code',
    'sandbox pay',
    'sandbox resolve',
    'sandbox outcomes',
    'sandbox inbox',
    'sandbox home',
    'sandbox clock',
    'callbacks list',
    'callbacks resend',
    'callbacks receivers',
    'callbacks enable',
    'listen',
    'trade',
    'requests',
    'sign',
    'datasets list',
    'datasets show',
    'datasets records',
    'datasets export',
    'datasets create',
    'datasets append',
    'datasets delete-records',
    'datasets delete',
    'backup',
    'restore',
    'move',
    'database upgrade',
    'database rollback',
    'database discard-old',
  ]
  test.each(leaves)('souk %s --help has an example and --json, and exits with 0', async (line) => {
    const { status, out } = await souk([...words(line), '--help'])
    expect(status).toBe(0)
    expect(out).toContain(`$ souk ${line}`)
    expect(out).toContain('--json')
  })

  test('souk --help lists all commands and the variables', async () => {
    const { status, out } = await souk(['--help'])
    expect(status).toBe(0)
    for (const part of [
      'Mini apps:',
      'Installation:',
      'app',
      'sandbox',
      'callbacks',
      'listen',
      'sign',
      'SOUK_URL',
      'SOUK_ADMIN_TOKEN',
      'SOUK_API_KEY',
    ]) {
      expect(out).toContain(part)
    }
  })
})

test.each<[string, string[], ExitStatus]>([
  ['backup souk.age', ['backup', '/souk.age'], 0],
  ['backup /var/souk.age --json', ['backup', '/var/souk.age', '--json'], 1],
  ['backup souk --keep-daily 7 --keep-monthly 0', ['backup', '/souk', '--keep-daily', '7', '--keep-monthly', '0'], 0],
  ['storage status', ['storage', 'status'], 0],
  ['storage move s3 --json', ['storage', 'move', 's3', '--json'], 1],
  ['storage verify', ['storage', 'verify'], 2],
  ['restore souk.age', ['restore', '/souk.age'], 2],
  ['restore souk.age --verify --json', ['restore', '/souk.age', '--verify', '--json'], 0],
  [
    'restore souk --verify --record --postgres postgres://db',
    ['restore', '/souk', '--verify', '--record', '--postgres', 'postgres://db'],
    0,
  ],
  ['move --to postgres://db/souk', ['move', '--to', 'postgres://db/souk'], 0],
  ['move --undo --json', ['move', '--undo', '--json'], 1],
  ['database migrate --json', ['database', 'migrate', '--json'], 2],
  ['database upgrade --programs bin', ['database', 'upgrade', '--programs', '/bin'], 0],
  ['database rollback --discard-changes --json', ['database', 'rollback', '--discard-changes', '--json'], 0],
  ['database discard-old', ['database', 'discard-old'], 1],
  ['partitions list', ['partitions', 'list'], 0],
  ['partitions archive trades_2027_02 --json', ['partitions', 'archive', 'trades_2027_02', '--json'], 1],
  ['partitions verify', ['partitions', 'verify'], 0],
  ['partitions restore trades_2027_02', ['partitions', 'restore', 'trades_2027_02'], 0],
  ['keys recover', ['recover'], 0],
  ['keys recover --yes --json', ['recover', '--yes', '--json'], 1],
])('souk %s runs on the server and returns its exit status', async (line, expected, status) => {
  const runOnServer = async (args: readonly string[]) => {
    expect(args).toEqual(expected)
    return status
  }
  expect(await souk(words(line), { runOnServer })).toEqual({ status, out: '', err: '' })
})

test('--server before the command comes before the environment, and is checked', async () => {
  const serverUrl = () => Promise.reject(new Error('It is not needed.'))
  for (const option of [['--server', `${url}/`], [`--server=${url}`]]) {
    const { status, err } = await souk([...option, 'app', 'list', '--json'], { serverUrl })
    expect([status, err]).toEqual([0, ''])
  }
  expect(await souk(['--server', 'localhost:7070', 'app', 'list'], { serverUrl })).toMatchObject({
    status: 2,
    err: expect.stringContaining('souk: --server is not an http or https URL: '),
  })
  expect(await souk(['--server', url, 'apps'])).toMatchObject({ status: 2, err: expect.stringContaining('apps') })
})

describe('exit status and errors', () => {
  test('1 for an error of the server, with code, request id and advice', async () => {
    problem = { status: 404, code: 'app_not_found' }
    expect(await souk(['app', 'rotate-secret', appid, '--json'])).toEqual({
      status: 1,
      out: '',
      err: `${JSON.stringify({
        error: {
          message: 'Said why. (app_not_found, request request-1)',
          advice: 'List mini apps: souk app list',
          code: 'app_not_found',
          requestId: 'request-1',
        },
      })}\n`,
    })
    expect(await souk(['app', 'rotate-secret', appid])).toEqual({
      status: 1,
      out: '',
      err: 'souk: Said why. (app_not_found, request request-1)\n      List mini apps: souk app list\n',
    })
  })

  test('for an unknown user, advice that a live installation can follow', async () => {
    problem = { status: 404, code: 'user_not_found' }
    expect((await souk(['users', 'show', '99'])).err).toContain('List users: souk users list.')
  })

  test('a refused screenshot is named', async () => {
    problem = { status: 415, code: 'file_unsupported', of: 'uploadImage' }
    const { status, err } = await souk(['submit', '--appid', appid, '--screenshot', 'notes.txt'])
    expect([status, err]).toEqual([1, expect.stringContaining('souk: notes.txt: Said why. (file_unsupported')])
  })

  test('2 for a wrong admin token, naming its source without showing it', async () => {
    problem = { status: 401, code: 'admin_token_invalid' }
    const { status, err } = await souk(['app', 'list'])
    expect(status).toBe(2)
    expect(err).toContain('does not accept the admin token of /data/admin-token')
    expect(err).not.toContain('admin-1')
  })

  test('2 for the token of a service account that is not accepted, as for other tokens and keys', async () => {
    for (const code of ['service_token_invalid', 'service_account_expired', 'service_account_removed']) {
      problem = { status: 401, code }
      const { status, err } = await souk(['app', 'list'])
      expect([status, err]).toEqual([2, expect.stringContaining(`(${code}`)])
    }
  })

  test('2 if the connection is refused, with advice to start Souk', async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const { status, err } = await souk(['app', 'list'])
    expect(status).toBe(2)
    expect(err).toContain(`Souk cannot be reached at ${url}: connection refused.`)
    expect(err).toContain('npm start')
    await new Promise<void>((resolve) => server.listen(0, resolve))
  })

  test('2 if the server is unavailable', async () => {
    problem = { status: 503, code: 'unavailable' }
    expect((await souk(['app', 'list'])).status).toBe(2)
  })

  test('2 for a refund without response, with the number to retry it', async () => {
    problem = { status: 503, code: 'unavailable' }
    const { status, err } = await souk(words(`trades refund ${hex('2')} --reason Why`))
    expect(status).toBe(2)
    expect(err).toContain(`--refund-no ${calls[0]!.parameters.refundNo}`)
  })

  test.each<[string, (response: ServerResponse) => void, string]>([
    [
      'breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('[')
        setTimeout(() => response.destroy(), 20)
      },
      'broke off its response',
    ],
    [
      'comes from a proxy',
      (response) => void response.writeHead(504, { 'content-type': 'text/html' }).end('Timeout'),
      'a proxy responded with HTTP 504',
    ],
  ])('2 for a refund whose response %s, with the number to retry it', async (_, answer, reason) => {
    server.removeAllListeners('request').on('request', (_request, response) => answer(response))
    const refundNo = hex('8')
    const { status, err } = await souk(words(`trades refund ${hex('2')} --reason Why --refund-no ${refundNo}`))
    expect(status).toBe(2)
    expect(err).toContain(reason)
    expect(err).toContain(`--refund-no ${refundNo}`)
  })

  test.each([429, 500, 502])('2 if a proxy responds with HTTP %i, without doubt about the URL', async (code) => {
    server.removeAllListeners('request').on('request', (_request, response) => {
      response.writeHead(code, { 'content-type': 'text/html' }).end('<h1>Later</h1>')
    })
    const { status, err } = await souk(['app', 'list'])
    expect(status).toBe(2)
    expect(err).toContain(`a proxy responded with HTTP ${code}`)
    expect(err).toContain('Try again later.')
    expect(err).not.toContain('SOUK_URL')
  })

  test('2 if the server is not Souk', async () => {
    const { status, err } = await souk(['app', 'list'], { serverUrl: async () => `${url}/elsewhere` })
    expect(status).toBe(2)
    expect(err).toContain('is not Souk: HTTP 404')
  })

  test('2 if another server answers with a code of its own', async () => {
    server.removeAllListeners('request').on('request', (_request, response) => {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"code":"not_found"}')
    })
    const { status, err } = await souk(['app', 'list'])
    expect(status).toBe(2)
    expect(err).toContain('is not Souk: HTTP 404, application/json')
  })

  test.each([
    [[], 'Usage: souk'],
    [['app'], 'Usage: souk app'],
    [['sell'], "unknown command 'sell'"],
    [['sell', '--version', '1.4.0'], "unknown command 'sell'"],
    [['app', 'create'], "required option '--name <name>' not specified"],
    [['app', 'update', appid], 'Nothing to change.'],
    [['app', 'update', appid, '--capabilities', 'fly'], 'Use a comma-separated list of login, payment'],
    [['sandbox', 'code', '--appid', appid, '--uid', 'Amal'], 'Use a positive integer.'],
    [['fake', '--appid', 'tea'], 'Use 15 lowercase letters and digits, the first a letter.'],
    [['link', '--appid', 'tea house'], 'List mini apps: souk app list'],
    [['canary', 'start', '--appid', appid, '--factor', '0'], 'Use a number above 0.'],
    [['canary', 'start', '--appid', appid, '--min-openings', '0'], 'Use a number above 0.'],
    [['sandbox', 'clock', '--forward', '2 hours'], 'Use a duration such as 90s'],
    [
      ['datasets', 'create', '--project', hex('7'), '--name', 'visits', '--fields', 'صفحة:string'],
      'name has letters from A to Z',
    ],
    [['sandbox', 'clock', '--forward', '2h', '--reset'], 'cannot be used with'],
    [['listen', '--forward-to', 'ftp://localhost'], 'Use an http or https URL'],
  ])('2 for invalid usage: %j', async (args, expected) => {
    const { status, out, err } = await souk(args)
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toContain(expected)
    expect(calls).toEqual([])
  })
})

describe('sign', () => {
  const published = {
    appid: 'demo-appid',
    code: 'abc123',
    grantType: 'authorization_code',
    scope: 'user.info',
    timestamp: '1700000000000',
  }
  const sign = '964bd40923c2f8911560c18cb06f580d3d26436378c11edff3f0691e4db00242'
  const canonicalString =
    'appid=demo-appidcode=abc123grantType=authorization_codescope=user.infosecret=******timestamp=1700000000000'
  const params = Object.entries(published).flatMap(([name, value]) => ['--param', `${name}=${value}`])
  const form = new URLSearchParams(published).toString()
  const stdin = (text: string): Partial<Environment> => ({ readStdin: async () => text })

  test.each([
    ['--param', params],
    ['--form', ['--form', form]],
    ['--url', ['--url', `http://localhost:7070/neuopenapi/oauth/mini/accessToken?${form}#x`]],
    [
      '--url and --param',
      ['--url', `http://localhost/?${form.split('&').slice(1).join('&')}`, '--param', 'appid=demo-appid'],
    ],
  ])('signs the published example, given by %s', async (_, args) => {
    const { status, out, err } = await souk(['sign', '--secret-stdin', '--json', ...args], stdin('demo-secret\n'))
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out)).toEqual({ canonicalString, sign })
    expect(calls).toEqual([])
  })

  test('reads the secret from a file, or from the command line with a warning', async () => {
    const fromFile = await souk(['sign', '--secret-file', 'secret.txt', '--json', ...params], {
      readFile: async (path) => (path === 'secret.txt' ? 'demo-secret\r\n' : expect.unreachable()),
    })
    expect(JSON.parse(fromFile.out).sign).toBe(sign)
    const fromLine = await souk(['sign', '--secret', 'demo-secret', '--json', ...params])
    expect(JSON.parse(fromLine.out).sign).toBe(sign)
    expect(fromLine.err).toContain('process list')
  })

  test('never prints the secret, even if a parameter contains it', async () => {
    const args = [
      'sign',
      '--secret-stdin',
      ...params,
      '--param',
      'appSecret=demo-secret',
      '--param',
      'demo%2Dsecret=DEMO-SECRET',
      '--param',
      'secret=demo-secret',
    ]
    for (const more of [[], ['--json'], ['--check', sign]]) {
      const { out, err } = await souk([...args, ...more], stdin(' demo-secret '))
      expect(out + err).not.toMatch(/demo(-|%2d)secret/i)
      expect(err).toContain('white space')
    }
  })

  test('exits with 0 for a matching sign, from --check or from the parameters', async () => {
    for (const args of [
      ['--check', sign],
      ['--param', `sign=${sign}`],
    ]) {
      const { status, out } = await souk(['sign', '--secret-stdin', '--json', ...params, ...args], stdin('demo-secret'))
      expect(status).toBe(0)
      expect(JSON.parse(out)).toEqual({ match: true, canonicalString, mistakes: [] })
    }
  })

  test('exits with 1 for a wrong sign and names the mistake without revealing the correct sign', async () => {
    const wrong = signParameters(Object.entries(published), 'demo-secret\n')
    const args = ['sign', '--secret-stdin', '--form', form, '--check', wrong]
    const { status, out } = await souk([...args, '--json'], stdin('demo-secret'))
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      match: false,
      canonicalString,
      mistakes: [{ mistake: 'secret_white_space' }],
    })
    const human = await souk(args, stdin('demo-secret'))
    expect(human.status).toBe(1)
    expect(human.out).toContain('The sign does not match.\n  secret_white_space: ')
    expect(out + human.out).not.toContain(sign)
  })

  test('notes a timestamp in seconds even if the sign is correct', async () => {
    const seconds = { ...published, timestamp: '1700000000' }
    const args = Object.entries(seconds).flatMap(([name, value]) => ['--param', `${name}=${value}`])
    const signing = await souk(['sign', '--secret-stdin', '--json', ...args], stdin('demo-secret'))
    expect(signing.err).toContain('the timestamp is in seconds, and will be refused')
    const right = signParameters(Object.entries(seconds), 'demo-secret')
    const check = ['sign', '--secret-stdin', ...args, '--check', right]
    const { status, out } = await souk([...check, '--json'], stdin('demo-secret'))
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ match: true, mistakes: [{ mistake: 'timestamp_in_seconds' }] })
    const human = await souk(check, stdin('demo-secret'))
    expect(human.out).toContain('The sign matches.\n  timestamp_in_seconds: ')
  })

  test('says if no known mistake explains the sign', async () => {
    const { status, out } = await souk(
      ['sign', '--secret-stdin', '--check', '0'.repeat(64), ...params],
      stdin('demo-secret'),
    )
    expect(status).toBe(1)
    expect(out).toContain('No known mistake yields this sign')
  })

  test('prints the request as a form that can be sent', async () => {
    const { out } = await souk(['sign', '--secret-stdin', '--form', form], stdin('demo-secret'))
    expect(out).toContain(`${form}&sign=${sign}`)
  })

  test.each([
    [['--param', 'appid=a'], 'Exactly one source of the secret is required.'],
    [['--secret', 'a', '--secret-stdin', '--param', 'appid=a'], 'Exactly one source of the secret is required.'],
    [['--secret', ' ', '--param', 'appid=a'], 'The secret is empty.'],
    [['--secret', 'a'], 'No parameters.'],
    [['--secret', 'a', '--param', 'appid'], '--param requires name=value'],
    [['--secret', 'a', '--form', 'a=1&a=2'], 'a is repeated'],
    [['--secret', 'a', '--url', 'http://localhost/'], 'has no query string'],
    [['--secret', 'a', '--form', 'sign=b', '--check', 'c'], 'differs from --check'],
  ])('exits with 2 for %j', async (args, expected) => {
    const { status, err } = await souk(['sign', ...args])
    expect(status).toBe(2)
    expect(err).toContain(expected)
  })
})

test.for(Object.entries(topLevelCommands))('%s is loaded from its file', async ([name, { description }]) => {
  const { out, status } = await souk([name, '--help'])
  expect(status).toBe(0)
  // The description of a command that its file does not add is all that the help of that command contains.
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(`^Usage: souk ${name} .*${RegExp.escape(description)}.*(Example|Commands)`),
  )
})

test('recordings get writes only the recording to standard output, or a new file that only its user can read', async () => {
  const written: string[] = []
  const created: unknown[] = []
  const line = ['recordings', 'get', hex('d'), '--appid', appid]
  const write: Environment['write'] = async (bytes, path) => {
    written.push(`${path}: ${await new Response(bytes).text()}`)
  }
  expect(await souk(line, { write })).toEqual({ status: 0, out: '', err: '' })
  const createFile: Environment['createFile'] = async (path, options) => {
    created.push([path, options])
    return { append: async (text) => void written.push(text), close: async () => void created.push('closed') }
  }
  expect((await souk([...line, '--out', 'a.jsonl'], { createFile })).out).toBe('Wrote a.jsonl.\n')
  expect(created).toEqual([['a.jsonl', { replaces: false }], 'closed'])
  expect(written).toEqual([`undefined: ${results.downloadErrorRecording}`, results.downloadErrorRecording])
})

/** Commands whose output has a test of its own, which prints a file, a stream, or what the server's program prints. */
const printedElsewhere =
  /^(pages|dev|fake|build|migrate|upload|source-maps|ci|listen|inspect|test|signing-keys show|sandbox fake-providers|functions add|custom-events pull|recordings get|(datasets|audit) export|backup|restore|move|database|partitions|storage|keys recover)\b/

/** A command line for each command that prints its result, with the files that it reads. */
function completeLines(): (readonly [line: string, given: Partial<Environment>])[] {
  const release = `--appid ${appid} --version`
  const lines = [
    ...[`submit ${release} 1.4.0`, `publish ${release} 1.4.0`, `roll-back ${release} 1.3.0`],
    ...[
      'list',
      `show --appid ${appid}`,
      `start ${hex('6')}`,
      `approve ${hex('6')}`,
      `reject ${hex('6')} --reason payment=No=price`,
    ].map((line) => `review ${line}`),
    ...['review require', 'review waive'],
    ...['start --share 5', 'widen --share 20', 'pause', 'resume', 'roll-back', 'finish', 'show'].map((line) => {
      const [verb, ...more] = line.split(' ')
      return ['canary', verb, '--appid', appid, ...more].join(' ')
    }),
    ...['sandbox outcomes', 'sign-on suspended', `events test ${hex('9')}`, 'events deliveries', 'project list'],
    ...[`link ${release} 1.4.0`, 'users list'],
    ...['trades refunds', 'reconciliations list'].map((line) => `${line} --project ${hex('7')}`),
  ]
  async function* readLines() {
    yield '{"title":"One"}'
  }
  async function* readAudit() {
    yield* audited.lines
  }
  const { name, question: _, ...declared } = consoleOperations.putHostFunction.example
  const readFile = async () => JSON.stringify(declared)
  const withFiles = [
    [`functions set ${name} card.json`, { readFile }],
    [`datasets append ${dataset.datasetId} x.ndjson`, { readLines }],
    ['audit verify audit.ndjson', { readLines: readAudit }],
  ] as const
  return [...[...listedLines, ...lines].map((line) => [line, {}] as const), ...withFiles]
}

/** Returns the words of each command that has no commands of its own. */
async function allCommands(): Promise<string[]> {
  const program = new Command('souk')
  const add = commandsOf({} as never, () => {})
  const adders = new Set(await Promise.all(Object.values(topLevelCommands).map(({ load }) => load())))
  for (const addCommands of adders) addCommands(program, add, async () => 0)
  const namesOf = (command: Command, path: string[]): string[] =>
    command.commands.length === 0
      ? [path.join(' ')]
      : command.commands.flatMap((each) => namesOf(each, [...path, each.name()]))
  return namesOf(program, [])
}

test('every command prints an object, or a list, with --json', async () => {
  const printed: string[] = []
  for (const [line, given] of completeLines()) {
    const { out, err } = await souk([...words(line), '--json'], given)
    expect({ line, err }).toEqual({ line, err: '' })
    if (out !== '') printed.push(line)
  }

  const unseen = (await allCommands()).filter((name) => !printed.some((line) => line.startsWith(name)))
  expect(unseen.filter((name) => !printedElsewhere.test(name))).toEqual([])
})

describe('with --json, an error is one line of JSON on standard error', () => {
  const error = { message: expect.stringMatching(/\w{3}/), advice: null, code: null, requestId: null }

  test('for wrong arguments of every command', async () => {
    for (const name of [...(await allCommands()), 'app', 'pages', 'sell']) {
      const { status, out, err } = await souk([...words(name), '--no-such-option', '--json'])
      expect({ name, status, out }).toEqual({ name, status: 2, out: '' })
      expect(JSON.parse(err), name).toEqual({ error: { ...error, advice: 'Add --help for usage.' } })
    }
    expect(calls).toEqual([])
  })

  /** Commands that need no server. */
  const local = /^(sandbox outcomes|audit verify)/
  const streams = [`datasets export ${dataset.datasetId}`, 'audit export', 'listen --forward-to localhost:1']
  const lines = () => [...completeLines(), ...streams.map((line) => [line, {}] as const)]

  test('for an operation that the server refuses', async () => {
    problem = { status: 409, code: 'refund_conflict' }
    for (const [line, given] of lines().filter(([line]) => !local.test(line))) {
      const { status, out, err } = await souk([...words(line), '--json'], given)
      expect({ line, status, out }).toEqual({ line, status: 1, out: '' })
      const refusal = { code: 'refund_conflict', requestId: 'request-1', advice: expect.stringMatching(/\w/) }
      expect(JSON.parse(err), line).toEqual({ error: { ...error, ...refusal } })
    }
  })

  test('without a server', async () => {
    const serverUrl = async () => 'http://127.0.0.1:1'
    for (const [line, given] of lines().filter(([line]) => !local.test(line))) {
      const { status, out, err } = await souk([...words(line), '--json'], { ...given, serverUrl })
      expect({ line, status, out }).toEqual({ line, status: 2, out: '' })
      expect(JSON.parse(err), line).toEqual({
        error: { ...error, message: expect.stringContaining('cannot be reached'), advice: expect.any(String) },
      })
    }
  })
})

test('souk sandbox code prints the code, which a shell can store', async () => {
  const { out } = await souk(words(`sandbox code --appid ${appid} --uid 1001`))
  expect(out).toBe(`${(results.createCode as { code: string }).code}\n`)
})
