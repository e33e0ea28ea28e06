// The tables of schema.sql. Written by npm run generate; change a migration instead.

/** A row of account_sessions. */
export interface AccountSessionsRow {
  token_hash: Buffer
  account_id: string
  valid_until: number
  ctime: number
}

/** A row of account_tokens. */
export interface AccountTokensRow {
  token_hash: Buffer
  account_id: string
  valid_until: number
  ctime: number
}

/** A row of accounts. */
export interface AccountsRow {
  account_id: string
  username: string
  name: string
  language: string
  password: string
  administrator: boolean
  last_sign_in: number | null
  ctime: number
  enabled: boolean
}

/** A row of activities. */
export interface ActivitiesRow {
  appid: string
  activity_id: string
  open_id: string
  uid: number
  color: string
  template_id: string
  title: string
  text: string
  icon_url: string
  path: string | null
  language: string
  valid_until: number
  ctime: number
  mtime: number
}

/** A row of api_keys. */
export interface ApiKeysRow {
  account_id: string
  key_hash: Buffer
  last_four: string
  last_used_at: number | null
  last_used_from: string | null
  ctime: number
}

/** A row of app_secrets. */
export interface AppSecretsRow {
  appid: string
  secret_id: string
  key_id: string
  ciphertext: Buffer
  valid_until: number | null
  ctime: number
}

/** A row of app_testers. */
export interface AppTestersRow {
  appid: string
  uid: number
}

/** A row of apps. */
export interface AppsRow {
  appid: string
  project_id: string
  name: string
  enabled: boolean
  capabilities: string[]
  default_language: string
  icon_url: string | null
  ctime: number
  languages: string[]
  callback_hosts: string[]
}

/** A row of audit_log. */
export interface AuditLogRow {
  audit_id: number
  time: number
  actor: string
  action: string
  subject: string
  detail: unknown
  account_id: string | null
  project_id: string | null
  address: string | null
}

/** A row of callback_attempts. */
export interface CallbackAttemptsRow {
  appid: string
  notify_id: string
  attempt: number
  via: string
  time: number
  duration: number
  acknowledged: boolean
  status: number | null
  reply: string | null
  error: string | null
}

/** A row of callback_replays. */
export interface CallbackReplaysRow {
  replay_id: string
  project_id: string
  appids: string[]
  state: string | null
  from_time: number
  to_time: number
  done_time: number | null
  done_notify_id: string | null
  progress: string
  total: number
  done: number
  failed: number
  ctime: number
  mtime: number
}

/** A row of callbacks. */
export interface CallbacksRow {
  appid: string
  notify_id: string
  trade_no: string
  notify_url: string
  fields: unknown
  state: string
  attempts: number
  scheduled_attempts: number
  next_attempt: number | null
  ctime: number
  mtime: number
}

/** A row of consents. */
export interface ConsentsRow {
  appid: string
  uid: number
  scopes: string[]
  mtime: number
}

/** A row of dataset_batches. */
export interface DatasetBatchesRow {
  dataset_id: string
  batch_id: string
  digest: Buffer
  records: number
  time: number
}

/** A row of dataset_records. */
export interface DatasetRecordsRow {
  dataset_id: string
  record_id: string
  ctime: number
  record: unknown
}

/** A row of datasets. */
export interface DatasetsRow {
  dataset_id: string
  project_id: string
  name: string
  description: string | null
  fields: unknown
  ctime: number
}

/** A row of files. */
export interface FilesRow {
  file_id: string
  appid: string
  media_type: string
  content: Buffer
  ctime: number
}

/** A row of host_sessions. */
export interface HostSessionsRow {
  token_hash: Buffer
  uid: number
  valid_until: number
  ctime: number
}

/** A row of inbox. */
export interface InboxRow {
  uid: number
  notification_id: string
  appid: string
  read_at: number | null
  ctime: number
}

/** A row of installation. */
export interface InstallationRow {
  only_row: boolean
  environment: string
  key_id: string
}

/** A row of invitations. */
export interface InvitationsRow {
  invitation_id: string
  project_id: string
  token_hash: Buffer
  role: string
  note: string | null
  invited_by: string | null
  valid_until: number
  ctime: number
}

/** A row of ledger_entries. */
export interface LedgerEntriesRow {
  reference: string
  movement: string
  debit: string
  credit: string
  amount: number
  currency: string
  appid: string
  trade_no: string
  time: number
}

/** A row of login_codes. */
export interface LoginCodesRow {
  code_hash: Buffer
  appid: string
  uid: number
  scopes: string[]
  token_id: string
  valid_until: number
  used_at: number | null
  ctime: number
}

/** A row of merchants. */
export interface MerchantsRow {
  merchant_id: string
  appid: string
  name: string | null
  logo_url: string | null
  ctime: number
}

/** A row of migrations. */
export interface MigrationsRow {
  name: string
  checksum: string
  applied_at: Date
}

/** A row of notification_requests. */
export interface NotificationRequestsRow {
  appid: string
  sign: Buffer
  time: number
}

/** A row of notifications. */
export interface NotificationsRow {
  appid: string
  notification_id: string
  title: string
  text: string
  navigate_type: string
  url: string | null
  link: string | null
  language: string
  skipped: number
  ctime: number
  recipients: number | null
}

/** A row of open_ids. */
export interface OpenIdsRow {
  appid: string
  open_id: string
  uid: number
}

/** A row of password_resets. */
export interface PasswordResetsRow {
  account_id: string
  token_hash: Buffer
  made_by: string | null
  valid_until: number
  ctime: number
}

/** A row of payment_attempts. */
export interface PaymentAttemptsRow {
  appid: string
  trade_no: string
  attempt_id: string
  provider: string
  pay_type: number
  pay_method: number
  pay_no: string | null
  state: string
  fail_reason_type: number
  prompt: string | null
  cancel_for: string | null
  ctime: number
  mtime: number
  provider_account_id: string | null
  redirect_url: string | null
}

/** A row of project_members. */
export interface ProjectMembersRow {
  project_id: string
  account_id: string
  role: string
  ctime: number
}

/** A row of projects. */
export interface ProjectsRow {
  project_id: string
  name: string
  ctime: number
}

/** A row of provider_accounts. */
export interface ProviderAccountsRow {
  provider_account_id: string
  merchant_id: string | null
  name: string
  provider: string
  settings: unknown
  key_id: string
  ciphertext: Buffer
  enabled: boolean
  failures: number
  out_until: number | null
  ctime: number
  mtime: number
}

/** A row of reconciliation_differences. */
export interface ReconciliationDifferencesRow {
  reconciliation_id: string
  attempt_id: string
  appid: string
  trade_no: string
  difference: string
  booked: number | null
  booked_currency: string | null
  told: number | null
  told_currency: string | null
  repaired: boolean
  detail: string | null
}

/** A row of reconciliations. */
export interface ReconciliationsRow {
  reconciliation_id: string
  merchant_id: string
  account: string
  day: number
  state: string
  attempts: number
  differences: number
  ctime: number
  mtime: number
}

/** A row of refunds. */
export interface RefundsRow {
  appid: string
  trade_no: string
  attempt_id: string
  amount: number
  currency: string
  reason: string
  state: string
  ctime: number
  mtime: number
  refund_no: string
  cause: string
  merchant_id: string
  out_trade_no: string
  open_id: string
  payer: number
  pay_type: number
  pay_method: number
  refusal: string | null
}

/** A row of release_contents. */
export interface ReleaseContentsRow {
  content_hash: Buffer
  gzipped: boolean
  content: Buffer
}

/** A row of release_files. */
export interface ReleaseFilesRow {
  release_id: string
  path: string
  content_hash: Buffer
}

/** A row of releases. */
export interface ReleasesRow {
  release_id: string
  appid: string
  platform: string
  version: string
  note: string | null
  stage: string
  current: boolean
  pages: string[]
  inline_scripts: string[]
  files: number
  size: number
  uploaded_by: string | null
  ctime: number
  published_time: number | null
}

/** A row of request_log. */
export interface RequestLogRow {
  request_no: number
  request_id: string
  time: number
  appid: string | null
  operation: string
  status: number
  code: string | null
  reason: string | null
  duration: number
  diagnosis: unknown
}

/** A row of revoked_tokens. */
export interface RevokedTokensRow {
  token_id: string
  valid_until: number
}

/** A row of routing_rules. */
export interface RoutingRulesRow {
  rule_id: string
  merchant_id: string | null
  place: number
  currency: string | null
  amount_from: number | null
  amount_to: number | null
  pay_method: number | null
  share: number
  provider_account_ids: string[]
  shadow_account_id: string | null
}

/** A row of sandbox_callback_faults. */
export interface SandboxCallbackFaultsRow {
  appid: string
  fault: string
  remaining: number
}

/** A row of sandbox_clock. */
export interface SandboxClockRow {
  only_row: boolean
  offset_ms: number
}

/** A row of sandbox_payments. */
export interface SandboxPaymentsRow {
  pay_no: string
  attempt_id: string
  amount: number
  currency: string
  outcome: string
  state: string
  fail_reason_type: number
  decides_at: number | null
  told: boolean
  ctime: number
  mtime: number
  refunds: unknown
}

/** A row of setup_tokens. */
export interface SetupTokensRow {
  token_hash: Buffer
  ctime: number
}

/** A row of shadow_answers. */
export interface ShadowAnswersRow {
  attempt_id: string
  appid: string
  trade_no: string
  provider_account_id: string
  shadow_id: string
  kind: string | null
  detail: string | null
  duration: number
  ctime: number
}

/** A row of sign_in_failures. */
export interface SignInFailuresRow {
  subject: Buffer
  failures: number
  blocked_until: number
  mtime: number
}

/** A row of trade_events. */
export interface TradeEventsRow {
  appid: string
  trade_no: string
  event_id: number
  time: number
  event: string
  detail: unknown
}

/** A row of trades. */
export interface TradesRow {
  appid: string
  trade_no: string
  merchant_id: string
  out_trade_no: string
  description: string | null
  amount: number
  currency: string
  open_id: string
  payer: number
  notify_url: string
  time_expire_asked: number | null
  time_expire: number
  transaction_status: number
  fail_reason_type: number
  pay_type: number | null
  pay_method: number | null
  pay_no: string | null
  notify_success: boolean | null
  attempt_in_flight: string | null
  ctime: number
  mtime: number
}

/** A row of union_ids. */
export interface UnionIdsRow {
  project_id: string
  uid: number
  union_id: string
}

/** A row of users. */
export interface UsersRow {
  uid: number
  nickname: string
  avatar: string | null
  email: string | null
  country: string | null
  phone: string | null
  ctime: number
}

/** A row of worker_heartbeats. */
export interface WorkerHeartbeatsRow {
  pool_id: string
  beat_at: Date
}

/** A row of worker_periods. */
export interface WorkerPeriodsRow {
  name: string
  began_at: Date
}
