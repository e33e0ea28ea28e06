/**
 * The only error registry. Each error that Souk returns on purpose has one entry: a stable machine-readable code
 * (`responseHeader.code` in the open API, `code` in problem details), the HTTP status, and the sentence that `msg`
 * starts with. The reference page, the SDK types and the tests are derived from this table.
 */
export const errors = {
  // The request cannot be parsed.
  parameter_missing: { status: 400, msg: 'A required parameter is missing.' },
  parameter_invalid: { status: 400, msg: 'A parameter is not valid.' },
  parameter_unknown: { status: 400, msg: 'The operation does not have this parameter.' },
  parameter_repeated: { status: 400, msg: 'A parameter is repeated.' },
  parameter_malformed: { status: 400, msg: 'The parameters cannot be decoded.' },
  parameter_control_character: { status: 400, msg: 'A parameter contains a control character.' },
  parameters_ambiguous: { status: 400, msg: 'The parameters can be read in more than one way.' },
  body_unsupported: { status: 415, msg: 'The operation does not accept this content type.' },
  body_too_large: { status: 413, msg: 'The body is too large.' },
  request_malformed: { status: 400, msg: 'The request is not valid HTTP.' },
  request_timeout: { status: 408, msg: 'The request was not sent in time.' },
  headers_too_large: { status: 431, msg: 'The headers are too large.' },
  host_unknown: { status: 421, msg: 'The server is not known by this host name.' },
  route_unknown: { status: 404, msg: 'Operation not found.' },
  method_not_allowed: { status: 405, msg: 'The operation does not accept this method.' },

  // Authentication and authorization (open-api §4.1, open-api §5.2).
  appid_invalid: { status: 401, msg: 'Invalid appid' },
  timestamp_not_milliseconds: { status: 400, msg: 'timestamp must be milliseconds' },
  timestamp_out_of_window: { status: 401, msg: 'Request timeout.' },
  sign_mismatch: { status: 401, msg: 'Failed to verify signature.' },
  sign_reused: { status: 409, msg: 'The sign has already been used for another request.' },
  capability_missing: { status: 403, msg: 'The user has not opened the open interface.' },
  rate_limited: { status: 429, msg: 'Too many requests.' },
  admin_token_invalid: { status: 401, msg: 'Invalid admin token' },
  admin_token_disabled: { status: 403, msg: 'The admin token is disabled.' },
  session_not_found: { status: 404, msg: 'Session not found.' },
  session_invalid: { status: 401, msg: 'Invalid or expired session' },
  csrf_invalid: { status: 403, msg: 'The CSRF token is missing or invalid.' },
  sign_in_failed: { status: 401, msg: 'Wrong user name or password.' },
  account_disabled: { status: 403, msg: 'The account is disabled.' },
  account_suspended: { status: 403, msg: 'The account is suspended.' },
  second_factor_required: { status: 403, msg: 'The sign-in lacks its second factor.' },
  factor_enrolment_required: { status: 403, msg: 'This installation requires a second factor.' },
  factor_missing: { status: 409, msg: 'The account has no second factor.' },
  last_factor: { status: 409, msg: 'This installation requires a second factor, and this is the last one.' },
  totp_exists: { status: 409, msg: 'The account already has an authenticator app.' },
  totp_not_started: { status: 409, msg: 'The account has no authenticator app.' },
  totp_code_wrong: { status: 403, msg: 'The code is wrong.' },
  totp_code_used: { status: 403, msg: 'The one-time code has already been used.' },
  recovery_code_wrong: { status: 403, msg: 'The recovery code is wrong or has already been used.' },
  passkey_not_found: { status: 404, msg: 'Passkey not found.' },
  passkey_unknown: { status: 403, msg: 'This passkey does not belong to the account.' },
  passkey_exists: { status: 409, msg: 'The passkey has already been added.' },
  passkey_limit_reached: { status: 409, msg: 'The account has reached its limit of passkeys.' },
  passkey_challenge_invalid: { status: 403, msg: 'The challenge is unknown, already used, or expired.' },
  passkey_origin_wrong: { status: 403, msg: 'The passkey was used on another site.' },
  passkey_invalid: { status: 403, msg: 'The passkey’s response is not valid.' },
  step_up_required: { status: 403, msg: 'Confirm your identity to do this.' },
  confirmation_refused: { status: 400, msg: 'The account cannot be confirmed this way.' },
  password_wrong: { status: 403, msg: 'The current password is wrong.' },
  password_weak: { status: 400, msg: 'The password is too easy to guess.' },
  api_key_invalid: { status: 401, msg: 'Invalid or missing API key' },
  token_invalid: { status: 401, msg: 'Invalid or expired token' },
  service_token_invalid: { status: 401, msg: 'Invalid token of a service account.' },
  service_account_expired: { status: 401, msg: 'The service account has expired.' },
  service_account_removed: { status: 401, msg: 'The service account has been removed.' },
  scope_missing: { status: 403, msg: 'The service account lacks the scope.' },
  permission_denied: { status: 403, msg: 'Insufficient permissions.' },

  // Login codes, scopes, access tokens (open-api §1, open-api §2.3, open-api §2.4).
  code_unknown: { status: 400, msg: 'The code is unknown.' },
  code_expired: { status: 400, msg: 'The code has expired.' },
  code_used: { status: 400, msg: 'The code has already been used.' },
  code_foreign: { status: 400, msg: 'The code was issued to another mini app.' },
  scope_not_granted: { status: 403, msg: 'The scope exceeds what the user has granted.' },
  user_scope_not_found: { status: 404, msg: 'Scope not found.' },
  user_scope_limit_reached: { status: 409, msg: 'The installation has reached its limit of scopes.' },
  host_function_not_found: { status: 404, msg: 'Function of the host not found.' },
  host_function_limit_reached: {
    status: 409,
    msg: 'The installation has reached its limit of functions of the host.',
  },
  custom_event_not_found: { status: 404, msg: 'Custom event not found.' },
  custom_event_limit_reached: { status: 409, msg: 'The mini app has reached its limit of custom events.' },
  custom_event_in_use: { status: 409, msg: 'An alert rule watches the custom event.' },
  funnel_not_found: { status: 404, msg: 'Funnel not found.' },
  funnel_limit_reached: { status: 409, msg: 'The mini app has reached its limit of funnels.' },
  access_token_invalid: { status: 401, msg: 'Invalid access token' },
  consent_refused: { status: 403, msg: 'The user declined.' },

  // Issuers, and tokens of host users.
  issuer_exists: { status: 409, msg: 'An issuer with this name and audience already exists.' },
  issuer_not_found: { status: 404, msg: 'Issuer not found.' },
  issuer_limit_reached: { status: 409, msg: 'The installation has reached its limit of issuers.' },
  issuer_unavailable: { status: 503, msg: 'The issuer cannot be reached, or its response is not valid.' },
  sign_in_not_started: { status: 400, msg: 'The sign-in was started in another browser, is complete, or has expired.' },
  sign_in_state_wrong: { status: 400, msg: 'The response of the provider belongs to another sign-in.' },
  authorization_refused: { status: 403, msg: 'The provider did not sign the user in.' },
  authorization_response_invalid: { status: 400, msg: 'The response of the provider is not valid.' },
  authorization_code_refused: { status: 400, msg: 'The provider refused the authorization code.' },
  userinfo_refused: { status: 403, msg: 'The provider refused the claims of the user.' },
  userinfo_invalid: { status: 400, msg: 'The claims that the provider has about the user are not valid.' },
  id_token_nonce_wrong: { status: 400, msg: 'The ID token belongs to another sign-in.' },
  sign_on_provider_exists: { status: 409, msg: 'There is a sign-on provider of this issuer already.' },
  sign_on_provider_not_found: { status: 404, msg: 'Sign-on provider not found.' },
  sign_on_provider_limit_reached: { status: 409, msg: 'The installation has reached its limit of sign-on providers.' },
  sign_on_not_allowed: { status: 403, msg: 'None of the groups of the account may use the console.' },
  sign_on_groups_missing: { status: 403, msg: 'The provider did not send the groups of the account.' },
  sign_on_groups_unreadable: { status: 403, msg: 'The groups that the provider sent could not be read.' },
  sign_on_not_working: { status: 409, msg: 'No administrator could sign in without a password.' },
  signs_on_at_provider: { status: 409, msg: 'The account signs in at its provider and has no password.' },
  password_sign_in_off: { status: 403, msg: 'Sign-in with a password is disabled.' },
  logout_token_invalid: { status: 400, msg: 'The token is not a valid logout token.' },
  grant_type_unsupported: { status: 400, msg: 'The grant type is not supported.' },
  token_malformed: { status: 400, msg: 'The token is not a valid JWT.' },
  token_issuer_unknown: { status: 400, msg: 'The issuer of the token is not trusted.' },
  token_audience_wrong: { status: 400, msg: 'The token was issued for another audience.' },
  token_algorithm_refused: { status: 400, msg: 'The algorithm of the token is not accepted.' },
  token_time_invalid: { status: 400, msg: 'The token is not valid at this time.' },
  token_signature_invalid: { status: 400, msg: 'The signature of the token is invalid.' },
  token_claim_missing: { status: 400, msg: 'The token lacks a claim.' },
  token_replayed: { status: 400, msg: 'The token has already been used.' },
  refresh_token_invalid: { status: 400, msg: 'The refresh token is unknown or has expired.' },
  refresh_token_reused: { status: 400, msg: 'The refresh token has already been used, so its sign-in has ended.' },
  user_disabled: { status: 400, msg: 'The user is disabled.' },
  user_erased: { status: 409, msg: 'The user has been erased.' },

  // Events to the company's backend.
  callback_receiver_not_found: {
    status: 404,
    msg: 'Callbacks of the mini app to this host are not disabled.',
  },
  event_endpoint_not_found: { status: 404, msg: 'Endpoint not found.' },
  event_endpoint_limit_reached: { status: 409, msg: 'The installation has reached its limit of endpoints.' },
  event_endpoint_disabled: { status: 409, msg: 'The endpoint is disabled.' },
  event_url_refused: { status: 400, msg: 'Souk cannot send events to this URL.' },
  event_delivery_not_found: { status: 404, msg: 'Delivery not found.' },

  // Trades (open-api §2.5, open-api §3.2).
  open_id_unknown: { status: 400, msg: 'The openId is unknown under this appid.' },
  merchant_foreign: { status: 403, msg: 'The merchant does not belong to this mini app.' },
  notify_url_refused: { status: 400, msg: 'notifyUrl is not acceptable.' },
  out_trade_no_conflict: { status: 409, msg: 'outTradeNo is already in use under this merchant.' },
  trade_not_found: { status: 404, msg: 'Trade not found.' },
  too_many_trades: { status: 400, msg: 'There are too many trades in this time to add up.' },
  trade_archived: { status: 410, msg: 'The trade is archived.' },
  trade_not_processing: { status: 409, msg: 'The trade is no longer processing.' },
  trade_not_refundable: { status: 409, msg: 'The trade has no captured payment to refund.' },
  refund_too_large: { status: 409, msg: 'The refund exceeds the remaining amount.' },
  refund_conflict: { status: 409, msg: 'refundNo is already in use for another refund.' },
  out_refund_no_conflict: { status: 409, msg: 'outRefundNo is already in use under this merchant.' },
  refund_not_found: { status: 404, msg: 'Refund not found.' },
  balances_incomplete: { status: 503, msg: 'The balances of the ledger are still being added up.' },
  payment_in_flight: { status: 409, msg: 'A payment of this trade is in progress.' },
  payment_not_pending: { status: 409, msg: 'The trade has no pending payment.' },
  webhook_refused: { status: 401, msg: 'The webhook signature is invalid.' },
  payment_mismatch: { status: 409, msg: 'The displayed payment differs from the trade.' },

  // Notifications and activity messages, files.
  recipients_unknown: { status: 400, msg: 'All openIds are unknown under this appid.' },
  file_missing: { status: 400, msg: 'The part fileData is missing.' },
  file_unsupported: { status: 415, msg: 'The file is not an image of a supported type.' },
  file_too_large: { status: 413, msg: 'The file is too large.' },

  // Feedback of users, and reports.
  feedback_not_found: { status: 404, msg: 'Message not found.' },

  // Inspections of mini apps on phones.
  inspection_not_found: { status: 404, msg: 'The inspection has ended or does not exist.' },
  inspection_code_invalid: { status: 404, msg: 'The code is unknown, already used, or expired.' },
  inspection_limit_reached: { status: 409, msg: 'The project has reached its limit of inspections.' },

  // Releases of mini apps.
  release_refused: { status: 400, msg: 'The archive is not a valid release.' },
  source_maps_refused: { status: 400, msg: 'The archive does not contain valid source maps of the release.' },
  alert_rule_not_found: { status: 404, msg: 'Alert rule not found.' },
  alert_rule_limit_reached: { status: 409, msg: 'The mini app has reached its limit of alert rules.' },
  error_group_not_found: { status: 404, msg: 'No such JavaScript error.' },
  error_recording_not_found: { status: 404, msg: 'No such recording of a tester.' },
  release_not_found: { status: 404, msg: 'Release not found.' },
  release_stage_conflict: { status: 409, msg: 'The stage of the release does not allow this.' },
  release_limit_reached: { status: 409, msg: 'The mini app has reached its release limit.' },
  release_version_taken: {
    status: 409,
    msg: 'The mini app already has a release of this version for this platform.',
  },
  release_unsigned: { status: 403, msg: 'This installation requires releases that are signed with an approved key.' },
  release_review_required: { status: 409, msg: 'The release has no approved review.' },
  review_not_found: { status: 404, msg: 'Review not found.' },
  review_state_conflict: { status: 409, msg: 'The state of the review does not allow this.' },
  canary_not_found: { status: 404, msg: 'The release is not being rolled out.' },
  canary_state_conflict: { status: 409, msg: 'The state of the canary does not allow this.' },
  release_signature_invalid: { status: 400, msg: 'The signature does not match the release.' },
  signing_key_not_found: { status: 404, msg: 'Signing key not found.' },
  signing_key_foreign: { status: 403, msg: 'The signing key belongs to another account.' },
  signing_key_revoked: { status: 403, msg: 'The signing key has been revoked.' },
  signing_key_pending: { status: 403, msg: 'The signing key has not been approved.' },
  signing_key_limit_reached: { status: 409, msg: 'The account has reached its limit of signing keys.' },
  testers_only: { status: 403, msg: 'The mini app has no published release, so its messages reach testers only.' },

  // Change requests of mini apps.
  change_request_not_found: { status: 404, msg: 'Change request not found.' },
  change_request_closed: { status: 409, msg: 'The change request is no longer pending.' },
  own_change_request: { status: 409, msg: 'You cannot approve your own change request.' },

  // Accounts, projects and their members.
  setup_closed: { status: 409, msg: 'The setup link is invalid, or the first administrator already exists.' },
  username_taken: { status: 409, msg: 'The user name is already taken.' },
  last_owner: { status: 409, msg: 'A project must have at least one owner.' },
  last_administrator: { status: 409, msg: 'An installation must have at least one administrator.' },
  administrator_missing: { status: 409, msg: 'The installation has no administrator who can sign in.' },
  own_account: { status: 409, msg: 'You cannot do this to your own account.' },
  already_member: { status: 409, msg: 'The account is already a member of the project.' },
  project_not_found: { status: 404, msg: 'Project not found.' },
  account_not_found: { status: 404, msg: 'Account not found.' },
  member_not_found: { status: 404, msg: 'Member not found.' },
  invitation_not_found: { status: 404, msg: 'This invitation is invalid, already used, revoked, or expired.' },
  password_reset_not_found: {
    status: 404,
    msg: 'This password reset link is invalid, already used, or expired.',
  },
  mail_not_configured: { status: 409, msg: 'The installation does not send mail.' },
  mail_failed: { status: 502, msg: 'The mail server did not accept the mail.' },
  email_missing: { status: 409, msg: 'The account has no confirmed e-mail address.' },
  email_taken: { status: 409, msg: 'Another account has this e-mail address.' },
  email_confirmation_not_found: { status: 404, msg: 'This confirmation link is invalid, already used, or expired.' },
  service_account_not_found: { status: 404, msg: 'Service account not found.' },
  service_account_name_taken: { status: 409, msg: 'The project already has a service account with this name.' },
  service_account_limit_reached: { status: 409, msg: 'The project has reached its limit of service accounts.' },
  dataset_not_found: { status: 404, msg: 'Dataset not found.' },
  record_not_found: { status: 404, msg: 'Record not found.' },
  dataset_name_taken: { status: 409, msg: 'The project already has a dataset with this name.' },
  dataset_built_in: { status: 409, msg: 'The dataset is built in and read-only.' },
  filter_too_broad: { status: 400, msg: 'The filter reads too many records to answer in time.' },
  batch_conflict: { status: 409, msg: 'batchId is already in use for other records.' },

  // Master keys.
  key_not_found: { status: 404, msg: 'Master key not found.' },
  key_in_use: { status: 409, msg: 'The master key is still in use.' },
  key_rotation_running: { status: 409, msg: 'A rotation of the master keys is in progress.' },
  key_ring_fixed: { status: 409, msg: 'The master keys come from SOUK_MASTER_KEY.' },

  // Not found, or not visible to this caller.
  app_not_found: { status: 404, msg: 'Mini app not found.' },
  blocked_by_operator: { status: 403, msg: 'An administrator has blocked this.' },
  block_not_found: { status: 404, msg: 'Block not found.' },
  block_lifted: { status: 409, msg: 'The block has been lifted.' },
  appeal_exists: { status: 409, msg: 'The block has been appealed already.' },
  appeal_missing: { status: 409, msg: 'The block has no unanswered appeal.' },
  appeal_unavailable: { status: 409, msg: 'This block cannot be appealed.' },
  app_archived: { status: 403, msg: 'The mini app is archived.' },
  project_archived: { status: 403, msg: 'The project is archived.' },
  project_not_archived: { status: 409, msg: 'The project is not archived.' },
  project_not_empty: { status: 409, msg: 'The project still has mini apps.' },
  app_not_archived: { status: 409, msg: 'The mini app is not archived.' },
  app_unfinished: { status: 409, msg: 'The mini app has unfinished payments, refunds or callbacks.' },
  user_not_found: { status: 404, msg: 'User not found.' },
  callback_not_found: { status: 404, msg: 'Callback not found.' },
  callback_archived: { status: 410, msg: 'The callback is archived.' },
  replay_not_found: { status: 404, msg: 'Replay not found.' },
  provider_account_limit_reached: {
    status: 409,
    msg: 'The merchant has reached its limit of provider accounts.',
  },
  provider_account_not_found: { status: 404, msg: 'Provider account not found.' },
  reconciliation_not_found: { status: 404, msg: 'Reconciliation not found.' },
  request_not_found: { status: 404, msg: 'Request not found in the log.' },
  file_not_found: { status: 404, msg: 'File not found.' },
  package_not_found: { status: 404, msg: 'Package not found.' },
  sandbox_only: { status: 403, msg: 'Available only in a sandbox.' },

  // Backups, in the terminal only: souk backup and souk restore do not use HTTP.
  backup_passphrase_weak: { status: 400, msg: 'The passphrase of the backup is too short.' },
  backup_passphrase_wrong: { status: 403, msg: 'The passphrase does not open the backup.' },
  backup_unreadable: { status: 400, msg: 'The backup cannot be read.' },
  backup_damaged: { status: 400, msg: 'The backup is damaged or incomplete.' },
  backup_version_unsupported: { status: 400, msg: 'The backup was made by another version of Souk.' },
  backup_key_wrong: { status: 409, msg: 'The master key is not the one of the database.' },
  copy_circular_references: { status: 409, msg: 'The tables of the database cannot be copied.' },
  backup_exists: { status: 409, msg: 'The file already exists.' },
  backup_unwritable: { status: 507, msg: 'The backup cannot be written.' },
  partition_not_found: { status: 404, msg: 'Partition not found.' },
  partition_in_use: { status: 409, msg: 'The partition is in use.' },
  archive_unfinished: { status: 409, msg: 'The partition cannot be archived yet.' },
  archive_unwritable: { status: 507, msg: 'The archive cannot be written.' },
  archive_damaged: { status: 500, msg: 'The archive is damaged.' },
  restore_not_empty: { status: 409, msg: 'The installation is not empty.' },
  restore_mismatch: { status: 500, msg: 'The restored data differs from the backup.' },
  recover_not_needed: { status: 409, msg: 'No master key is lost.' },
  recover_key_present: { status: 409, msg: 'A running server has the master key.' },
  restore_failed: { status: 500, msg: 'The backup could not be restored.' },

  // Moves of the installation to another database, and upgrades of the embedded one.
  read_only: { status: 503, msg: 'Souk accepts no changes at the moment.' },
  installation_moved: { status: 409, msg: 'The installation has moved to another database.' },
  installation_not_moved: { status: 409, msg: 'The installation has not moved.' },
  move_target_unusable: { status: 409, msg: 'The database cannot receive the installation.' },
  move_failed: { status: 500, msg: 'The installation could not be moved.' },
  database_upgrade_failed: { status: 500, msg: 'The database could not be upgraded.' },
  database_not_upgraded: { status: 409, msg: 'There is no old database.' },
  database_rollback_refused: { status: 409, msg: 'The database has been written to since its upgrade.' },
  copy_mismatch: { status: 500, msg: 'The copied data differs from the original.' },
  // The object storage. The last one is for souk storage, in the terminal only.
  storage_unavailable: { status: 503, msg: 'The object storage is temporarily unavailable.' },
  storage_damaged: { status: 500, msg: 'A stored file is missing or damaged.' },
  storage_busy: { status: 409, msg: 'Another command is moving files.' },

  // Server errors.
  internal: { status: 500, msg: 'Internal error.' },
  unavailable: { status: 503, msg: 'Souk is temporarily unavailable.' },
} as const satisfies Record<string, ErrorDefinition>

/** A registry entry: the HTTP status and the sentence that the public message starts with. */
export interface ErrorDefinition {
  readonly status: number
  readonly msg: string
}

/** A stable, machine-readable error code. */
export type ErrorCode = keyof typeof errors

/** Optional details of a `SoukError`. */
export interface ErrorDetail {
  /** Machine-readable details for the caller; public. */
  data?: Record<string, unknown>
  /** Details for the operator's log; never sent to the caller. */
  internal?: string
  cause?: unknown
}

/**
 * An error from the registry. `message` is public: the registry's sentence, followed by the reason in full sentences.
 * `internal` is only logged.
 */
export class SoukError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly data: Record<string, unknown> | undefined
  readonly internal: string | undefined

  constructor(code: ErrorCode, reason?: string, detail: ErrorDetail = {}) {
    const { msg } = errors[code]
    super(
      // A few messages have fixed wording without a full stop.
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
