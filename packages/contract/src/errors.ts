/**
 * The only error registry. Every failure that Souk answers on purpose has one entry here: a stable machine word
 * (`responseHeader.code` of the open API, `code` of a problem document), the HTTP status, and the plain statement
 * that `msg` begins with. The reference page, the SDK's types and the tests read this same table.
 */
export const errors = {
  // What was received cannot be read.
  parameter_missing: { status: 400, msg: 'A required parameter is missing.' },
  parameter_invalid: { status: 400, msg: 'A parameter is not valid.' },
  parameter_unknown: { status: 400, msg: 'A parameter is not known to this operation.' },
  parameter_repeated: { status: 400, msg: 'A parameter is given more than once.' },
  parameter_malformed: { status: 400, msg: 'The parameters cannot be decoded.' },
  parameter_control_character: { status: 400, msg: 'A parameter contains a control character.' },
  body_unsupported: { status: 415, msg: 'The body is of a type that this operation does not take.' },
  body_too_large: { status: 413, msg: 'The body is too large.' },
  route_unknown: { status: 404, msg: 'There is no such operation.' },
  method_not_allowed: { status: 405, msg: 'The operation does not take this method.' },

  // Who is asking (open API §4.1, §5.2).
  appid_invalid: { status: 401, msg: 'Invalid appid' },
  timestamp_not_milliseconds: { status: 400, msg: 'timestamp must be milliseconds' },
  timestamp_out_of_window: { status: 401, msg: 'Request timeout.' },
  sign_mismatch: { status: 401, msg: 'Failed to verify signature.' },
  capability_missing: { status: 403, msg: 'The user has not opened the open interface.' },
  rate_limited: { status: 429, msg: 'Too many requests.' },
  admin_token_invalid: { status: 401, msg: 'Invalid admin token' },
  session_invalid: { status: 401, msg: 'Invalid or expired session' },
  csrf_invalid: { status: 403, msg: 'The request does not prove that it comes from the console.' },
  sign_in_failed: { status: 401, msg: 'The user name or the password is wrong.' },
  account_disabled: { status: 403, msg: 'The account is disabled.' },
  password_wrong: { status: 403, msg: 'The current password is wrong.' },
  api_key_invalid: { status: 401, msg: 'Invalid or missing API key' },
  token_invalid: { status: 401, msg: 'Invalid or expired token' },
  permission_denied: { status: 403, msg: 'The permissions do not suffice.' },

  // Login codes, scopes, access tokens (§1, §2.3, §2.4).
  code_unknown: { status: 400, msg: 'The code is unknown.' },
  code_expired: { status: 400, msg: 'The code has expired.' },
  code_used: { status: 400, msg: 'The code has been used already.' },
  code_foreign: { status: 400, msg: 'The code was issued to another mini app.' },
  scope_not_granted: { status: 403, msg: 'The scope exceeds what the user has granted.' },
  access_token_invalid: { status: 401, msg: 'Invalid access token' },
  consent_refused: { status: 403, msg: 'The user refused.' },

  // Trades (§2.5, §3.2).
  open_id_unknown: { status: 400, msg: 'The openId is not known under this appid.' },
  merchant_foreign: { status: 403, msg: 'The merchant does not belong to this mini app.' },
  notify_url_refused: { status: 400, msg: 'notifyUrl is not acceptable.' },
  out_trade_no_conflict: { status: 409, msg: 'outTradeNo is already in use under this merchant.' },
  trade_not_found: { status: 404, msg: 'There is no such trade.' },
  trade_not_processing: { status: 409, msg: 'The trade is no longer processing.' },
  trade_not_refundable: { status: 409, msg: 'The trade has brought no money that could be given back.' },
  refund_too_large: { status: 409, msg: 'More would be given back than is left of the payment.' },
  refund_conflict: { status: 409, msg: 'refundNo was used for another refund.' },
  payment_in_flight: { status: 409, msg: 'A payment of this trade is in flight.' },
  payment_not_pending: { status: 409, msg: 'The trade has no payment that waits for a result.' },
  webhook_refused: { status: 401, msg: 'The webhook does not come from the provider.' },
  payment_mismatch: { status: 409, msg: 'What the page shows differs from the trade.' },

  // Notifications and activity messages, files.
  recipients_unknown: { status: 400, msg: 'None of the openIds is known under this appid.' },
  file_missing: { status: 400, msg: 'The part fileData is missing.' },
  file_unsupported: { status: 415, msg: 'The file is not an image of a supported type.' },
  file_too_large: { status: 413, msg: 'The file is too large.' },

  // Releases of mini apps.
  release_refused: { status: 400, msg: 'The archive is no release that can be taken.' },
  release_not_found: { status: 404, msg: 'There is no such release.' },
  release_stage_conflict: { status: 409, msg: 'The stage of the release does not allow this.' },
  release_limit_reached: { status: 409, msg: 'The mini app has as many releases as it can have.' },
  testers_only: { status: 403, msg: 'No release of the mini app is published: its messages reach its testers only.' },

  // Accounts, projects and their members.
  setup_closed: { status: 409, msg: 'The set-up link is not valid, or the first administrator exists already.' },
  username_taken: { status: 409, msg: 'The user name is taken.' },
  last_owner: { status: 409, msg: 'A project keeps at least one owner.' },
  last_administrator: { status: 409, msg: 'An installation keeps at least one administrator.' },
  own_account: { status: 409, msg: 'Nobody does this to the own account.' },
  already_member: { status: 409, msg: 'The account is a member of the project already.' },
  project_not_found: { status: 404, msg: 'There is no such project.' },
  account_not_found: { status: 404, msg: 'There is no such account.' },
  member_not_found: { status: 404, msg: 'There is no such member.' },
  invitation_not_found: { status: 404, msg: 'There is no such invitation, or it has been used or has expired.' },
  password_reset_not_found: {
    status: 404,
    msg: 'There is no such link for a new password, or it has been used or has expired.',
  },
  dataset_not_found: { status: 404, msg: 'There is no such dataset.' },
  dataset_name_taken: { status: 409, msg: 'The project has a dataset of this name already.' },
  dataset_built_in: { status: 409, msg: 'The dataset is filled by the platform and cannot be changed.' },
  batch_conflict: { status: 409, msg: 'The batchId was used for other records.' },

  // What is asked for does not exist, or not for this caller.
  app_not_found: { status: 404, msg: 'There is no such mini app.' },
  user_not_found: { status: 404, msg: 'There is no such user.' },
  callback_not_found: { status: 404, msg: 'There is no such callback.' },
  replay_not_found: { status: 404, msg: 'There is no such replay.' },
  provider_account_not_found: { status: 404, msg: 'There is no such provider account.' },
  reconciliation_not_found: { status: 404, msg: 'There is no such reconciliation.' },
  request_not_found: { status: 404, msg: 'There is no such request in the log.' },
  file_not_found: { status: 404, msg: 'There is no such file.' },
  sandbox_only: { status: 403, msg: 'This exists only in a sandbox.' },

  // Souk itself.
  internal: { status: 500, msg: 'Souk failed to answer.' },
  unavailable: { status: 503, msg: 'Souk cannot answer at the moment.' },
} as const satisfies Record<string, ErrorDefinition>

/** One row of the registry: the HTTP status and the statement that the public message begins with. */
export interface ErrorDefinition {
  readonly status: number
  readonly msg: string
}

/** The stable machine words of the registry. */
export type ErrorCode = keyof typeof errors

/** What a refusal may carry besides its code. */
export interface ErrorDetail {
  /** Machine-readable facts for the caller; public. */
  data?: Record<string, unknown>
  /** For the operator's log only; never sent. */
  internal?: string
  cause?: unknown
}

/**
 * A registered refusal. `message` is what the caller reads: the registry's statement, then the reason a developer
 * needs, as whole sentences. `internal` stays in the server's log.
 */
export class SoukError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly data: Record<string, unknown> | undefined
  readonly internal: string | undefined

  constructor(code: ErrorCode, reason?: string, detail: ErrorDetail = {}) {
    const { msg } = errors[code]
    super(
      // Some statements are fixed words without a full stop.
      reason ? `${msg.endsWith('.') ? msg : `${msg}.`} ${reason}` : msg,
      detail.cause === undefined ? {} : { cause: detail.cause },
    )
    this.name = 'SoukError'
    this.code = code
    this.status = errors[code].status
    this.data = detail.data
    this.internal = detail.internal
  }
}
