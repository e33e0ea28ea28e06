import type { ErrorCode } from './errors.ts'

/** What the documentation says about an error. Texts are Markdown. */
interface ErrorHelp {
  /** Why a request is refused with it: one or two sentences. */
  readonly cause: string
  /** What to do about it: one to three sentences. */
  readonly fix: string
  /** Page that explains the subject, from `docs`. */
  readonly guide: string
  readonly example: ErrorExample
}

type Values = Readonly<Record<string, unknown>>

/** A request or command that causes an error, and the right one. */
export type ErrorExample =
  /**
   * An operation, and what differs from its example in each request. The wrong one is refused by the schema, or by the
   * state `when`, in which case `first` is the operation that changes the state.
   */
  | {
      readonly kind: 'operation'
      readonly operation: string
      readonly when: string | undefined
      readonly wrong: Values
      readonly right: Values
      readonly first: string | undefined
    }
  /** The beginning of two HTTP requests, where parameters do not show the difference. */
  | { readonly kind: 'http'; readonly wrong: string; readonly right: string }
  /** Two commands in the terminal. */
  | { readonly kind: 'command'; readonly wrong: string; readonly right: string }

interface StateOptions {
  wrong?: Values
  right?: Values
  first?: string
}

/** A request that the schema of the operation refuses. */
const refused = (operation: string, wrong: Values): ErrorExample => ({
  kind: 'operation',
  operation,
  when: undefined,
  wrong,
  right: {},
  first: undefined,
})

/** A request that the schema accepts, and that is refused if `when` holds. */
const state = (
  operation: string,
  when: string,
  { wrong = {}, right = {}, first }: StateOptions = {},
): ErrorExample => ({ kind: 'operation', operation, when, wrong, right, first })

const http = (wrong: string, right: string): ErrorExample => ({ kind: 'http', wrong, right })
const command = (wrong: string, right: string): ErrorExample => ({ kind: 'command', wrong, right })

const tokenExchange: Values = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  subject_token: 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUifQ.c2lnbmF0dXJl',
}
const refresh: Values = { grant_type: 'refresh_token', refresh_token: 'souk_refresh_3f9a1c' }

/** The pages that explain the subjects of errors. */
const guides = {
  accounts: 'guides/accounts.md#lost-passwords-and-disabled-accounts',
  adminToken: 'guides/keys.md#admin-token',
  alerts: 'guides/analytics.md#alerts',
  analytics: 'guides/analytics.md#in-the-console',
  apiKey: 'guides/platform-api.md#the-api-key',
  approvals: 'guides/approvals.md#approvals',
  archive: 'guides/archive.md',
  archiveProjects: 'guides/archive.md#projects',
  archivedCallbacks: 'guides/growth.md#what-an-archived-callback-still-does',
  archivedTrades: 'guides/growth.md#what-an-archived-trade-still-does',
  backend: 'guides/backend.md',
  backendAppid: 'guides/backend.md#appid-and-secret',
  backendRefunds: 'guides/backend.md#refunds',
  backup: 'guides/backup.md#backing-up',
  balances: 'guides/money.md#balances',
  blocks: 'guides/approvals.md#blocks',
  callbacks: 'guides/verify-callbacks.md#trying-it-out',
  canaries: 'guides/releases.md#canary-releases',
  captured: 'guides/network.md#captured-requests',
  datasets: 'guides/platform-api.md#datasets',
  deleting: 'guides/archive.md#deleting',
  eraseUsers: 'guides/users.md#export-disable-and-erase-users',
  events: 'guides/events.md#add-an-endpoint',
  eventsFail: 'guides/events.md#when-something-fails',
  exchange: 'guides/users.md#exchange-a-token',
  factors: 'guides/sign-on.md#second-factors',
  failedHost: 'guides/verify-callbacks.md#a-host-that-failed-for-days',
  firstSignIn: 'guides/accounts.md#first-sign-in-to-the-console',
  growth: 'guides/growth.md#archiving-trades-and-callbacks',
  host: 'guides/host.md#server-api-for-hosts',
  hostFeedback: 'guides/host.md#feedback-and-reports',
  customEvents: 'guides/analytics.md#custom-events',
  hostFunctions: 'guides/host-functions.md',
  hostSignIn: 'guides/users.md#sign-in-to-the-host-application',
  inspector: 'guides/inspector.md#inspecting-a-phone',
  issuers: 'guides/users.md#trust-an-issuer',
  keys: 'guides/keys.md#master-keys',
  limits: 'guides/network.md#what-limits-clients',
  mail: 'guides/mail.md',
  major: 'guides/upgrades.md#a-new-major-version-of-the-embedded-postgresql',
  members: 'guides/members.md#invite-a-member',
  miniAppLogin: 'guides/login-and-payment.md',
  moves: 'guides/database.md#moving-to-another-database',
  openApi: 'spec/open-api.md',
  openApiSign: 'spec/open-api.md#41-common-rules',
  ownDatasets: 'guides/platform-api.md#your-own-datasets',
  packages: 'guides/install.md#packages-for-developers',
  platformApi: 'guides/platform-api.md',
  privateHosts: 'guides/private-hosts.md',
  providers: 'guides/providers.md#setting-up-an-account',
  reconciliation: 'guides/money.md#reconciliation',
  recordings: 'guides/recordings.md#recordings-of-testers',
  records: 'guides/platform-api.md#records',
  reference: 'generated/reference.md',
  refresh: 'guides/users.md#refresh-and-revoke',
  refunds: 'guides/money.md#refunds',
  releases: 'guides/releases.md#upload',
  restoring: 'guides/backup.md#restoring',
  review: 'guides/releases.md#review-publish-roll-back',
  reviews: 'guides/releases.md#reviews',
  roles: 'guides/members.md#rights',
  sandbox: 'guides/sandbox.md',
  sandboxLogin: 'guides/sandbox.md#login',
  sandboxMessages: 'guides/sandbox.md#notifications-and-activity-messages',
  sandboxPay: 'guides/sandbox.md#payments',
  sandboxSigns: 'guides/sandbox.md#debugging-signatures',
  scopes: 'guides/users.md#define-scopes',
  serviceAccounts: 'guides/service-accounts.md',
  serviceScopes: 'guides/service-accounts.md#scopes',
  settings: 'guides/settings.md',
  signOn: 'guides/sign-on.md#sign-on',
  signatures: 'guides/releases.md#signatures',
  sourceMaps: 'guides/analytics.md#source-maps',
  storage: 'guides/object-storage.md',
  testers: 'guides/releases.md#testers',
  totals: 'guides/money.md#totals',
  troubleshoot: 'guides/troubleshooting.md#the-server',
  users: 'guides/users.md',
}

/** Cause, fix, guide and example of each error. */
export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  parameter_missing: {
    cause: 'The request lacks a parameter that the operation requires, or sends it empty where a value is needed.',
    fix: 'Send the parameter that `msg` or `detail` names. The reference lists the required ones.',
    guide: guides.openApi,
    example: refused('trade', { amount: undefined }),
  },
  parameter_invalid: {
    cause:
      'The value of a parameter has another type, form or size than the contract allows, such as an amount in riyals instead of cents.',
    fix: 'Correct the parameter that the message names; it says what is allowed.',
    guide: guides.openApi,
    example: refused('trade', { amount: 12.5 }),
  },
  parameter_unknown: {
    cause:
      'The request has a parameter that the operation does not define: usually a misspelled name, or one of a newer version.',
    fix: 'Check the spelling of the parameter against the reference. Names are case-sensitive. If the server is older than your client, leave the parameter out.',
    guide: guides.platformApi,
    example: http('GET /api/v1/datasets?limits=100', 'GET /api/v1/datasets?limit=100'),
  },
  parameter_repeated: {
    cause:
      'The same parameter is in the request twice, for example in the query and in the body, so its value is not clear.',
    fix: 'Send each parameter once, either in the query or in the body.',
    guide: guides.openApi,
    example: http('GET /api/v1/datasets?limit=10&limit=100', 'GET /api/v1/datasets?limit=100'),
  },
  parameter_malformed: {
    cause:
      'The query, the form or the JSON body cannot be decoded: a stray `%`, bytes that are not UTF-8, or JSON with a syntax error.',
    fix: 'Encode the query and forms as UTF-8 with percent-encoding, and JSON bodies as valid JSON.',
    guide: guides.openApi,
    example: http('GET /api/v1/datasets?cursor=100%', 'GET /api/v1/datasets?cursor=100%25'),
  },
  parameter_control_character: {
    cause: 'A text contains a character that cannot be displayed, such as NUL, often from a database or a clipboard.',
    fix: 'Remove control characters, such as NUL, from the value.',
    guide: guides.openApi,
    example: http(
      'POST /neuopenapi/pay/transactions/trade\n\ndescription=Two%00coffees&…',
      'POST /neuopenapi/pay/transactions/trade\n\ndescription=Two%20coffees&…',
    ),
  },
  parameters_ambiguous: {
    cause:
      'A value contains the name of another parameter followed by `=`. The canonical string has no separators, so the same signature would also fit other parameters.',
    fix: 'The signed text has no separators, so a value that contains `=` after the name of another parameter is ambiguous. Write `name =` in a text, or `name%3D` in a URL.',
    guide: guides.openApiSign,
    example: state('trade', 'the text could also be read as two parameters', {
      wrong: { description: 'Two coffees, merchantId=7' },
      right: { description: 'Two coffees, merchantId =7' },
    }),
  },
  body_unsupported: {
    cause: 'The body has a `Content-Type` that the operation does not read, or none.',
    fix: 'Set `Content-Type` to one that the reference names for the operation, usually `application/json`.',
    guide: guides.openApi,
    example: http(
      'POST /api/v1/datasets\nContent-Type: text/plain\n\n{…}',
      'POST /api/v1/datasets\nContent-Type: application/json\n\n{…}',
    ),
  },
  body_too_large: {
    cause: 'The body exceeds the limit of the operation, which for JSON and forms is much lower than for files.',
    fix: 'Send a smaller body. Split large imports into several requests: `souk datasets append` does so.',
    guide: guides.platformApi,
    example: http(
      'POST /api/v1/datasets/{datasetId}/records\n\n(100 MB of records)',
      'POST /api/v1/datasets/{datasetId}/records\n\n(a part of them)',
    ),
  },
  request_malformed: {
    cause:
      'The bytes on the connection are not a valid HTTP request: a broken header, or a request that a proxy has changed.',
    fix: 'Use an HTTP library instead of writing requests by hand, and check proxies in between.',
    guide: guides.openApi,
    example: http('GET /api/v1/datasets HTTP/1.1\nX API Key: …', 'GET /api/v1/datasets HTTP/1.1\nX-API-Key: …'),
  },
  request_timeout: {
    cause:
      'Headers or body did not arrive within `SOUK_REQUEST_TIMEOUT` (120 seconds), because of a slow network or a client that stopped sending.',
    fix: 'Retry the request. If it happens often, check the network and the proxies in between.',
    guide: guides.limits,
    example: http(
      'POST /neuopenapi/file/upload\nContent-Length: 5000000\n\n(the body stops after 100,000 bytes)',
      'POST /neuopenapi/file/upload\nContent-Length: 100000\n\n(the whole body)',
    ),
  },
  headers_too_large: {
    cause: 'The headers of the request exceed the limit of the server.',
    fix: 'Send fewer or shorter headers. A common cause is cookies of other applications on the same domain.',
    guide: guides.limits,
    example: http(
      'GET /console/v1/session\nCookie: (60 KB of cookies)',
      'GET /console/v1/session\nCookie: (1 KB of cookies)',
    ),
  },
  host_unknown: {
    cause:
      'The `Host` header names an address that is neither that of `SOUK_PUBLIC_URL` nor listed in `SOUK_ALLOWED_HOSTS`.',
    fix: 'Call the server by the host name in `SOUK_PUBLIC_URL`, or ask the operator to correct that setting. A proxy must pass on the `Host` header.',
    guide: guides.settings,
    example: http('GET /openapi.json\nHost: 203.0.113.7', 'GET /openapi.json\nHost: souk.example.com'),
  },
  route_unknown: {
    cause:
      'There is no operation with this path: a typing error, a path of another version, or a proxy that removes a part of it.',
    fix: 'Check method and path against the reference, and that no proxy changes the path.',
    guide: guides.reference,
    example: http('POST /neuopenapi/pay/transactions/create', 'POST /neuopenapi/pay/transactions/trade'),
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method, such as GET for an operation that changes something.',
    fix: 'Use the method that the reference names for the operation.',
    guide: guides.reference,
    example: http('GET /neuopenapi/pay/transactions/trade', 'POST /neuopenapi/pay/transactions/trade'),
  },
  appid_invalid: {
    cause:
      'No mini app of this installation has the appid. Each installation has its own: a sandbox and a live one never share them.',
    fix: 'Check the appid in the console. An appid of a sandbox is unknown to a live installation.',
    guide: guides.backendAppid,
    example: state('tradedetail', 'the appid is of another installation', { wrong: { appid: 'otherapp0000001' } }),
  },
  timestamp_not_milliseconds: {
    cause: 'The timestamp is far too small or too large for milliseconds, usually because it is in seconds.',
    fix: 'Send the time as milliseconds since 1970, for example `Date.now()`, not as seconds.',
    guide: guides.openApiSign,
    example: http(
      'GET /neuopenapi/pay/transactions/tradedetail?timestamp=1768458600&…',
      'GET /neuopenapi/pay/transactions/tradedetail?timestamp=1768458600000&…',
    ),
  },
  timestamp_out_of_window: {
    cause:
      'The timestamp differs from the clock of Souk by more than five minutes: a wrong clock, or a request that waited after it was signed.',
    fix: 'Synchronize your server’s clock with NTP, and sign each request just before you send it.',
    guide: guides.openApiSign,
    example: state('tradedetail', 'the request was signed more than five minutes ago'),
  },
  sign_mismatch: {
    cause:
      'The `sign` in the request is not the one that Souk computes from its parameters and the secret of the mini app.',
    fix: 'Run `souk sign --secret-file secret.txt --form "<the body>" --check <sign>`: it says which common mistake produces your sign. In a sandbox, the response and the request log of the console say the same. Common causes: the wrong secret, parameters that are not sorted, or values that were encoded before signing.',
    guide: guides.sandboxSigns,
    example: state('tradedetail', 'it was signed with another secret, or a parameter was changed after signing'),
  },
  sign_reused: {
    cause:
      'Another request with the same parameters, timestamp and sign has been executed already. A sign is valid for one execution.',
    fix: 'The request was not executed: sign it again with a new timestamp. Give each request its own timestamp, also across processes.',
    guide: guides.captured,
    example: state('tradeclose', 'the same sign was already used for another operation'),
  },
  capability_missing: {
    cause: 'The mini app calls an operation of a capability, such as payments or notifications, that it does not have.',
    fix: 'Request the capability in the console, in the settings of the mini app. An operator approves it.',
    guide: guides.approvals,
    example: state('trade', 'the mini app does not have the capability'),
  },
  rate_limited: {
    cause: 'The mini app, the account or the address has sent more requests in the last seconds than its limit allows.',
    fix: 'Retry after the number of seconds in `Retry-After`. Spread requests over time.',
    guide: guides.limits,
    example: state('tradedetail', 'the mini app has sent more requests than SOUK_RATE_LIMIT allows'),
  },
  admin_token_invalid: {
    cause:
      'The bearer token is not the current admin token: it was rotated, belongs to another installation, or is cut off.',
    fix: 'Use the token in the file `admin-token` of the data directory, unset an outdated `SOUK_ADMIN_TOKEN`, or sign in with an account.',
    guide: guides.adminToken,
    example: state('listApps', 'the token was rotated'),
  },
  admin_token_disabled: {
    cause: 'An administrator has switched the admin token off for the whole installation.',
    fix: 'Sign in with the account of an administrator, or use a service account.',
    guide: guides.adminToken,
    example: state('listApps', 'the admin token is disabled'),
  },
  session_not_found: {
    cause: 'The session to end has ended already, by sign-out, expiry or another administrator.',
    fix: 'The session has ended already. Reload the list of sessions.',
    guide: guides.accounts,
    example: state('endSession', 'the session has ended'),
  },
  session_invalid: {
    cause: 'The request has no session, or one that has expired or was ended elsewhere.',
    fix: 'Sign in again, and send the new session with each request.',
    guide: guides.accounts,
    example: state('getFactors', 'the session has expired'),
  },
  csrf_invalid: {
    cause: 'A request with a session cookie lacks the header `X-Souk-CSRF`, or its value is of an earlier session.',
    fix: 'Reload the page. Scripts should use a service account instead of a session.',
    guide: guides.serviceAccounts,
    example: state('createProject', 'the header X-Souk-CSRF is missing'),
  },
  sign_in_failed: {
    cause: 'The user name does not exist, or the password is wrong. Souk does not say which.',
    fix: 'Check the user name and password. An administrator can create a password reset link.',
    guide: guides.accounts,
    example: state('consoleSignIn', 'the password is wrong'),
  },
  account_disabled: {
    cause:
      'Someone with the right to manage the account has disabled it, so neither its password nor its API key works.',
    fix: 'Ask an administrator, or an owner of your project, to enable the account under Members.',
    guide: guides.accounts,
    example: state('consoleSignIn', 'the account is disabled'),
  },
  account_suspended: {
    cause: 'The account signs in at a provider, whose last sign-in did not show a group that may use the console.',
    fix: 'Sign in at the provider with a group that may use the console; the API key, sessions and roles then work again. An administrator can restore the account with `souk sign-on restore`.',
    guide: guides.signOn,
    example: state('consoleSignIn', 'the account is suspended'),
  },
  second_factor_required: {
    cause: 'The password was right, but the session still needs the second factor of the account.',
    fix: 'Complete the sign-in with a passkey, a code or a recovery code.',
    guide: guides.factors,
    example: state('createApp', 'the second factor has not been entered'),
  },
  factor_enrolment_required: {
    cause: 'An administrator requires a second factor of everyone, and the account has none yet.',
    fix: 'Add a passkey or an authenticator app in your profile.',
    guide: guides.factors,
    example: state('createApp', 'the account has no second factor'),
  },
  factor_missing: {
    cause: 'The operation protects or resets second factors, and the account has none.',
    fix: 'Add a passkey or an authenticator app to the account first.',
    guide: guides.factors,
    example: state('createRecoveryCodes', 'the account has no second factor', { first: 'enableTotp' }),
  },
  last_factor: {
    cause: 'This installation requires a second factor, and the request would remove the only one of the account.',
    fix: 'Add another second factor before you remove this one.',
    guide: guides.factors,
    example: state('removeTotp', 'the account has no other second factor', { first: 'addPasskey' }),
  },
  totp_exists: {
    cause: 'An account has one authenticator app at most, and this one has it already.',
    fix: 'Remove the current authenticator app in your profile first.',
    guide: guides.factors,
    example: state('startTotp', 'the account has an authenticator app', { first: 'removeTotp' }),
  },
  totp_not_started: {
    cause: 'The code arrived without a started enrolment, or the enrolment has expired.',
    fix: 'Start adding the authenticator app again; the QR code is valid only for a short time.',
    guide: guides.factors,
    example: state('enableTotp', 'no enrolment has been started', { first: 'startTotp' }),
  },
  totp_code_wrong: {
    cause:
      'The six digits do not match the current time step of the authenticator app, often because the phone shows another account or its clock is wrong.',
    fix: 'Enter the current code, and check that the clock of the phone is right.',
    guide: guides.factors,
    example: state('enableTotp', 'the code is that of another account'),
  },
  totp_code_used: {
    cause: 'The one-time code was already used for a sign-in or a confirmation. Each is valid once.',
    fix: 'Wait for the next code of the app, which takes up to 30 seconds.',
    guide: guides.factors,
    example: state('confirmSession', 'the code was used before'),
  },
  recovery_code_wrong: {
    cause: 'The recovery code was mistyped, used before, or replaced by a newer set.',
    fix: 'Use another recovery code. Each one is valid once.',
    guide: guides.factors,
    example: state('confirmSession', 'the recovery code was used before'),
  },
  passkey_not_found: {
    cause: 'The passkey was removed in the meantime, or belongs to another account.',
    fix: 'Reload the list of passkeys; this one was removed.',
    guide: guides.factors,
    example: state('removePasskey', 'the passkey was removed'),
  },
  passkey_unknown: {
    cause: 'The browser answered with a passkey that this account does not have.',
    fix: 'Choose a passkey that was added to this account.',
    guide: guides.factors,
    example: state('passkeySignIn', 'the passkey belongs to another account'),
  },
  passkey_exists: {
    cause: 'The device or key that answered is registered for the account already.',
    fix: 'This device can already sign in. Choose another device or key.',
    guide: guides.factors,
    example: state('addPasskey', 'the device is registered'),
  },
  passkey_limit_reached: {
    cause: 'The account has as many passkeys as an account can have.',
    fix: 'Remove a passkey that is no longer used in your profile.',
    guide: guides.factors,
    example: state('startPasskey', 'the account has reached its limit', { first: 'removePasskey' }),
  },
  passkey_challenge_invalid: {
    cause: 'The challenge that the passkey answered has expired, was used already, or comes from another session.',
    fix: 'Start again. A challenge is valid once and for a short time.',
    guide: guides.factors,
    example: state('passkeySignIn', 'the challenge has expired', { first: 'startPasskeySignIn' }),
  },
  passkey_origin_wrong: {
    cause: 'The passkey was used at another address than the one that it was created for.',
    fix: 'Open the console at the address in `SOUK_PUBLIC_URL`, where the passkey was created.',
    guide: guides.factors,
    example: state('passkeySignIn', 'the console was opened at another address'),
  },
  passkey_invalid: {
    cause:
      'The signature or the data of the passkey does not verify, for example because the person was not verified by PIN or fingerprint.',
    fix: 'Try again, or use another factor. The authenticator may not support what the server requires.',
    guide: guides.factors,
    example: state('passkeySignIn', 'the authenticator did not verify the person'),
  },
  step_up_required: {
    cause: 'The operation is protected, and the person has not confirmed their identity in the last minutes.',
    fix: 'Confirm your identity with your password or second factor, then retry the request.',
    guide: guides.factors,
    example: state('rotateSecret', 'the last confirmation is older than ten minutes', { first: 'confirmSession' }),
  },
  confirmation_refused: {
    cause:
      'The account does not have the method that was used for the confirmation, such as a password after it was switched off.',
    fix: 'Confirm with a method that the account has: `data.methods` lists them.',
    guide: guides.factors,
    example: state('confirmSession', 'the account does not have this method'),
  },
  password_wrong: {
    cause: 'The current password that the request contains is not that of the account.',
    fix: 'Enter the current password of the account. If you have forgotten it, ask for a password reset link.',
    guide: guides.accounts,
    example: state('changePassword', 'the current password is wrong'),
  },
  password_weak: {
    cause: 'The new password is short, or in lists of passwords that attackers try first.',
    fix: 'Choose a longer password, or several words, that are not in lists of known passwords.',
    guide: guides.accounts,
    example: state('resetPassword', 'the password is too easy to guess'),
  },
  api_key_invalid: {
    cause:
      'The request has no `X-API-Key`, or one that was refreshed, is of another environment, or belongs to a disabled account.',
    fix: 'Send the key as `X-API-Key`. The console shows it under Profile, API Key Management. Each environment has its own.',
    guide: guides.apiKey,
    example: state('listDatasets', 'the key was refreshed'),
  },
  token_invalid: {
    cause: 'The bearer token of the platform data API is unknown or has expired. A token takes precedence over a key.',
    fix: 'Send `Authorization: Bearer …` with a valid token, or `X-API-Key` without `Authorization`.',
    guide: guides.apiKey,
    example: state('listDatasets', 'the token has expired'),
  },
  service_token_invalid: {
    cause:
      'The token starts with `souk_sa_`, but no service account has it: it was cut off, or is of another installation.',
    fix: 'Check that the whole token is in `SOUK_TOKEN`. If it is lost, an owner adds another service account.',
    guide: guides.serviceAccounts,
    example: state('listReleases', 'the token is of another installation'),
  },
  service_account_expired: {
    cause: 'The token was valid until the expiry date that was chosen with the service account.',
    fix: 'Add a service account that expires later, and store its token in the program.',
    guide: guides.serviceAccounts,
    example: state('listReleases', 'the service account has expired', { first: 'addServiceAccount' }),
  },
  service_account_removed: {
    cause: 'An owner of the project has removed the service account of this token.',
    fix: 'Use the token of another service account.',
    guide: guides.serviceAccounts,
    example: state('listReleases', 'the service account was removed', { first: 'addServiceAccount' }),
  },
  scope_missing: {
    cause: 'The service account was added without the scope that the operation needs.',
    fix: 'Ask an owner to add a service account with one of the scopes in `data.scopes`. If the list is empty, service accounts cannot do this: use an account or the admin token.',
    guide: guides.serviceScopes,
    example: state('publishRelease', 'the service account lacks releases:publish', { first: 'addServiceAccount' }),
  },
  permission_denied: {
    cause: 'The role of the caller in the project does not include this, or the caller is not a member.',
    fix: 'Ask an owner of the project for a role that may do this. The reference names the roles.',
    guide: guides.roles,
    example: state('publishRelease', 'the account is not an owner of the project'),
  },
  code_unknown: {
    cause:
      'No login code of this installation has this value: it was cut off, changed in transit, or is of another installation.',
    fix: 'Send the code that `neu.login` or `neu.getAuthCode` returned to the mini app, unchanged.',
    guide: guides.sandboxLogin,
    example: state('accessToken', 'the code was changed'),
  },
  code_expired: {
    cause: 'More than five minutes have passed since `neu.login` or `neu.getAuthCode` returned the code.',
    fix: 'Call the function that returned the code again, `neu.login` or `neu.getAuthCode`, and exchange the new code at once.',
    guide: guides.sandboxLogin,
    example: state('accessToken', 'the code is older than five minutes'),
  },
  code_used: {
    cause:
      'The code has been exchanged already. The second exchange also revokes the access token of the first, since one of the two may be an attacker.',
    fix: 'Call the function that returned the code again, `neu.login` or `neu.getAuthCode`, for each exchange. Repeat a failed request unchanged, with the same timestamp and sign, within five minutes.',
    guide: guides.sandboxLogin,
    example: state('accessToken', 'the code has been exchanged'),
  },
  code_foreign: {
    cause: 'The page that got the code belongs to another mini app than the appid of the exchange.',
    fix: 'Exchange the code with the appid of the mini app that it was issued to.',
    guide: guides.sandboxLogin,
    example: state('accessToken', 'the code was issued to another mini app'),
  },
  scope_not_granted: {
    cause: 'The exchange asks only for scopes that the user has not granted for this code.',
    fix: 'Ask the user for the scope with `neu.getAuthCode` first, and exchange the code that it returns.',
    guide: guides.sandboxLogin,
    example: state('accessToken', 'the user has granted user.info only', {
      wrong: { scope: 'user.phone' },
      right: { scope: 'user.info' },
    }),
  },
  user_scope_not_found: {
    cause: 'The scope was removed in the meantime, or never existed.',
    fix: 'Reload the list of scopes; this one was removed.',
    guide: guides.scopes,
    example: state('removeUserScope', 'the scope was removed'),
  },
  host_function_not_found: {
    cause: 'The function, or the grant of this mini app for it, was removed in the meantime.',
    fix: 'Reload the list of functions; this one, or the grant of the mini app, was removed.',
    guide: guides.hostFunctions,
    example: state('removeHostFunction', 'the function was removed'),
  },
  host_function_limit_reached: {
    cause: 'The installation declares as many functions of the host as it can.',
    fix: 'Remove a function that no mini app calls any more.',
    guide: guides.hostFunctions,
    example: state('putHostFunction', 'the limit is reached', { first: 'removeHostFunction' }),
  },
  custom_event_not_found: {
    cause: 'The mini app has not declared the event, or it was removed in the meantime.',
    fix: 'Declare the event first, or reload the list; it was removed.',
    guide: guides.customEvents,
    example: state('removeCustomEvent', 'the event was removed'),
  },
  custom_event_limit_reached: {
    cause: 'The mini app has declared as many events, fields, or values of fields, as it can.',
    fix: 'Remove an event that is no longer reported, or values of fields.',
    guide: guides.customEvents,
    example: state('putCustomEvent', 'the limit is reached', { first: 'removeCustomEvent' }),
  },
  custom_event_in_use: {
    cause: 'Alert rules of the mini app watch the event, and would never hear of it again.',
    fix: 'Delete the alert rules that the message names, or choose another event or metric for them; then remove the event.',
    guide: guides.customEvents,
    example: state('removeCustomEvent', 'an alert rule watches the event', { first: 'deleteAlertRule' }),
  },
  funnel_not_found: {
    cause: 'The funnel was deleted in the meantime, or never existed.',
    fix: 'Reload the list of funnels; this one was deleted.',
    guide: guides.customEvents,
    example: state('deleteFunnel', 'the funnel was deleted'),
  },
  funnel_limit_reached: {
    cause: 'The mini app has as many funnels as it can have.',
    fix: 'Delete a funnel that is no longer needed.',
    guide: guides.customEvents,
    example: state('createFunnel', 'the limit is reached', { first: 'deleteFunnel' }),
  },
  user_scope_limit_reached: {
    cause: 'The installation has as many scopes of its own as it can have.',
    fix: 'Remove a scope that no mini app uses any more.',
    guide: guides.scopes,
    example: state('putUserScope', 'the limit is reached', { first: 'removeUserScope' }),
  },
  access_token_invalid: {
    cause: 'The access token has expired, was revoked, or is of another mini app.',
    fix: 'Ask the user to log in again, and exchange the new code.',
    guide: guides.sandboxLogin,
    example: state('userInfo', 'the access token has expired', { first: 'accessToken' }),
  },
  consent_refused: {
    cause: 'The user was asked for their data and declined.',
    fix: 'Respect the decision. Ask again when the user starts something that needs it.',
    guide: guides.miniAppLogin,
    example: state('getAuthCode', 'the user declines'),
  },
  issuer_exists: {
    cause: 'An issuer is identified by its name and audience, and this pair is trusted already.',
    fix: 'Change the existing issuer, or remove it first and add it again.',
    guide: guides.issuers,
    example: state('addIssuer', 'the issuer is trusted already', { first: 'removeIssuer' }),
  },
  issuer_not_found: {
    cause: 'The issuer was removed in the meantime, or the id is wrong.',
    fix: 'Reload the list of issuers; this one was removed.',
    guide: guides.issuers,
    example: state('removeIssuer', 'the issuer was removed'),
  },
  issuer_limit_reached: {
    cause: 'The installation trusts as many issuers as it can.',
    fix: 'Remove an issuer that no user signs in with any more.',
    guide: guides.issuers,
    example: state('addIssuer', 'the limit is reached', { first: 'removeIssuer' }),
  },
  issuer_unavailable: {
    cause: 'Souk could not fetch the discovery document or the keys of the issuer, or they are not valid.',
    fix: 'Check that Souk can reach the discovery document and the keys of the issuer.',
    guide: guides.issuers,
    example: state('exchangeToken', 'the issuer does not answer'),
  },
  sign_in_not_started: {
    cause:
      'The browser returned from the provider without the cookie of a started sign-in: another browser, a page that was reloaded, or more than a few minutes.',
    fix: 'Start the sign-in again, and complete it in the same browser.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'the sign-in was completed before', { first: 'startSignIn' }),
  },
  sign_in_state_wrong: {
    cause: 'The `state` of the response is that of another sign-in, for example of a second tab.',
    fix: 'Start the sign-in again, in one tab.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'another tab has started a sign-in since', { first: 'startSignIn' }),
  },
  authorization_refused: {
    cause: 'The provider answered with an error instead of a code: the user cancelled, or may not use this client.',
    fix: 'Sign in at the provider with an account that is allowed to use Souk.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'the provider refuses the user', { first: 'startSignIn' }),
  },
  authorization_code_refused: {
    cause:
      'The provider did not exchange the code: it expired, or client id, secret or redirect URI differ from what is registered there.',
    fix: 'Start the sign-in again. If it fails again, check the client id, secret and redirect URI.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'the client secret is wrong', { first: 'startSignIn' }),
  },
  authorization_response_invalid: {
    cause: 'What the provider sent back lacks a part, or answers for another issuer.',
    fix: 'Start the sign-in again. If it fails again, check the provider and proxies in between.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'the response lacks the code', { first: 'startSignIn' }),
  },
  userinfo_refused: {
    cause: 'The provider refuses its userinfo endpoint to the client or for the scopes that are configured.',
    fix: 'Allow the client the scopes that are configured for the provider, or remove those that it may not use.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'the client may not read the userinfo', { first: 'startSignIn' }),
  },
  userinfo_invalid: {
    cause: 'The userinfo endpoint did not answer with claims that Souk can trust.',
    fix: 'Check the userinfo endpoint of the provider: it must answer with JSON or a JWT that is signed by its keys, for the same user.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'the claims are of another user', { first: 'startSignIn' }),
  },
  id_token_nonce_wrong: {
    cause: 'The `nonce` in the ID token is that of another sign-in, so the token may have been injected.',
    fix: 'Start the sign-in again. If it repeats, check that the provider returns the `nonce` unchanged.',
    guide: guides.hostSignIn,
    example: state('completeSignIn', 'the ID token is of an earlier sign-in', { first: 'startSignIn' }),
  },
  sign_on_provider_exists: {
    cause: 'A sign-on provider with this issuer exists, and an issuer can be a provider once.',
    fix: 'Change the existing provider, or remove it first and add it again.',
    guide: guides.signOn,
    example: state('addSignOnProvider', 'the issuer is a provider already', { first: 'removeSignOnProvider' }),
  },
  sign_on_provider_not_found: {
    cause: 'The provider was removed in the meantime, or the id is wrong.',
    fix: 'Reload the list of providers; this one was removed.',
    guide: guides.signOn,
    example: state('removeSignOnProvider', 'the provider was removed'),
  },
  sign_on_provider_limit_reached: {
    cause: 'The installation has as many sign-on providers as it can have.',
    fix: 'Remove a sign-on provider that is no longer used.',
    guide: guides.signOn,
    example: state('addSignOnProvider', 'the limit is reached', { first: 'removeSignOnProvider' }),
  },
  signs_on_at_provider: {
    cause: 'The account has no password, because it signs in at its provider, so its password cannot be reset.',
    fix: 'Restore the person’s access at the provider. The account can have a password only after the provider has been removed.',
    guide: guides.signOn,
    example: state('createPasswordReset', 'the account signs in at its provider'),
  },
  sign_on_not_allowed: {
    cause: 'The provider sent the groups of the person, and none of them is mapped to a role.',
    fix: 'Ask for one of the groups that an administrator has allowed. The account is suspended until it signs in with such a group.',
    guide: guides.signOn,
    example: state('completeSignOn', 'no group of the account has a role', { first: 'startSignOn' }),
  },
  sign_on_groups_missing: {
    cause: 'The token of the provider does not contain the claim with the groups.',
    fix: 'Have the provider send the groups of the account in the claim that the message names, and sign in again. Until then the account is suspended: nothing is deleted.',
    guide: guides.signOn,
    example: state('completeSignOn', 'the token has no groups', { first: 'startSignOn' }),
  },
  sign_on_groups_unreadable: {
    cause: 'The claim with the groups is not a list of texts, or refers to another place.',
    fix: 'Have the provider send the groups as a JSON list of texts in the claim that the message names, and sign in again. Nothing has changed. Microsoft Entra ID sends groups elsewhere for members of many groups: choose *Groups assigned to the application*.',
    guide: guides.signOn,
    example: state('completeSignOn', 'the groups are not a list', { first: 'startSignOn' }),
  },
  sign_on_not_working: {
    cause: 'Passwords can be switched off only if an administrator can sign in without one.',
    fix: 'Have an administrator sign in through the provider once, so that someone can still sign in when passwords are disabled.',
    guide: guides.signOn,
    example: state('allowPasswordSignIn', 'no administrator has signed in at the provider'),
  },
  password_sign_in_off: {
    cause: 'An administrator has switched passwords off, so accounts sign in at the provider only.',
    fix: 'Choose your company’s provider on the sign-in page.',
    guide: guides.signOn,
    example: state('consoleSignIn', 'passwords are switched off', { first: 'startSignOn' }),
  },
  logout_token_invalid: {
    cause: 'The token of a back-channel logout lacks a claim, has one that it may not have, or is an ID token.',
    fix: 'Send the logout token of the provider unchanged (OpenID Connect Back-Channel Logout).',
    guide: guides.hostSignIn,
    example: state('backChannelLogout', 'an ID token was sent'),
  },
  grant_type_unsupported: {
    cause: 'The request asks for a kind of exchange that Souk does not have.',
    fix: 'Use a grant type that the reference names: token exchange, or `refresh_token`.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the grant type is another one', {
      wrong: { grant_type: 'password' },
      right: { grant_type: 'refresh_token', refresh_token: '…' },
    }),
  },
  token_malformed: {
    cause: 'The value is not a signed JWT: it was cut off, quoted, or is an opaque access token.',
    fix: 'Send the token unchanged, as three parts separated by dots.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the token was cut off', { right: tokenExchange }),
  },
  token_issuer_unknown: {
    cause: 'The claim `iss` of the token is not an issuer that this installation trusts, letter for letter.',
    fix: 'Compare `iss` with `souk issuers list`, and ask an operator to add the issuer if it is missing.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the issuer is not trusted', { right: tokenExchange }),
  },
  token_audience_wrong: {
    cause: 'The claim `aud` of the token does not contain the audience that is configured for its issuer.',
    fix: 'Issue the token for the audience that is configured for the issuer in the console.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the token is for another audience', { right: tokenExchange }),
  },
  token_algorithm_refused: {
    cause: 'The token is signed with a symmetric algorithm, with none, or with one that the issuer may not use.',
    fix: 'Sign the token with an asymmetric algorithm that the issuer allows.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the token is signed with HS256', { right: tokenExchange }),
  },
  token_time_invalid: {
    cause: 'The token has expired, is not valid yet, or is issued for too long a time.',
    fix: 'Issue the token just before it is used, and synchronize the clocks.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the token has expired', { right: tokenExchange }),
  },
  token_signature_invalid: {
    cause: 'No key of the issuer verifies the signature: the token was changed, or the key is not published.',
    fix: 'Sign with a key from the issuer’s key set.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the issuer does not publish the key', { right: tokenExchange }),
  },
  token_claim_missing: {
    cause: 'The token does not contain a claim that Souk needs, such as `sub` or `exp`.',
    fix: 'Add the claim that the message names to the tokens of the issuer.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the token has no sub', { right: tokenExchange }),
  },
  token_replayed: {
    cause: 'A token with this `jti` has been exchanged before. Each can be exchanged once.',
    fix: 'Issue a new token with its own `jti` for each exchange.',
    guide: guides.exchange,
    example: state('exchangeToken', 'the token was exchanged before', { right: tokenExchange }),
  },
  refresh_token_invalid: {
    cause: 'The refresh token is unknown, has expired after 30 days, or its sign-in was revoked.',
    fix: 'Sign the user in again: exchange a new token of the issuer.',
    guide: guides.refresh,
    example: state('exchangeToken', 'the sign-in was revoked', { right: refresh }),
  },
  refresh_token_reused: {
    cause:
      'Each refresh token is valid once. A second use means that someone else may have it, so the whole sign-in has ended.',
    fix: 'Sign the user in again, and store each new refresh token before you discard the old one.',
    guide: guides.refresh,
    example: state('exchangeToken', 'the refresh token was used before', { right: refresh }),
  },
  user_disabled: {
    cause: 'An administrator has disabled the user of the host.',
    fix: 'Ask an operator to enable the user: `souk users enable <uid>`.',
    guide: guides.eraseUsers,
    example: state('exchangeToken', 'the user is disabled', { right: tokenExchange, first: 'enableHostUser' }),
  },
  user_erased: {
    cause: 'The user was erased permanently, so it can be neither enabled nor disabled.',
    fix: 'An erased user cannot be restored. The person can sign in as a new user.',
    guide: guides.eraseUsers,
    example: state('enableHostUser', 'the user was erased'),
  },
  callback_receiver_not_found: {
    cause: 'The callbacks of this mini app to the host were never disabled, or are enabled already.',
    fix: 'Nothing to enable: reload the list, and check host and appid.',
    guide: guides.failedHost,
    example: state('enableCallbackReceiver', 'callbacks to the host are delivered'),
  },
  event_endpoint_not_found: {
    cause: 'The endpoint was removed in the meantime, or the id is wrong.',
    fix: 'Reload the list of endpoints; this one was removed.',
    guide: guides.events,
    example: state('testEventEndpoint', 'the endpoint was removed'),
  },
  event_endpoint_limit_reached: {
    cause: 'The installation has as many endpoints as it can have.',
    fix: 'Remove an endpoint that no backend listens at any more.',
    guide: guides.events,
    example: state('addEventEndpoint', 'the limit is reached', { first: 'removeEventEndpoint' }),
  },
  event_endpoint_disabled: {
    cause: 'The endpoint was disabled by an administrator, or after five days of failed deliveries.',
    fix: 'Enable the endpoint first: `souk events enable <endpointId>`.',
    guide: guides.eventsFail,
    example: state('replayEvents', 'the endpoint is disabled', { first: 'updateEventEndpoint' }),
  },
  event_url_refused: {
    cause: 'The URL is not `https`, or contains a private IP address.',
    fix: 'Use an `https` URL with a public address. For a receiver in a private network, an operator lists its host in `SOUK_PRIVATE_HOSTS`.',
    guide: guides.privateHosts,
    example: state('addEventEndpoint', 'the address is private', {
      wrong: { url: 'https://10.0.0.7/souk' },
      right: { url: 'https://backend.example/souk' },
    }),
  },
  event_delivery_not_found: {
    cause: 'Deliveries are deleted after a while, with the event, or the id is wrong.',
    fix: 'Choose a newer delivery: `souk events deliveries` lists them.',
    guide: guides.eventsFail,
    example: state('replayEventDelivery', 'the delivery was deleted'),
  },
  open_id_unknown: {
    cause: 'The `openId` was issued to another mini app or by another installation, or its user was erased.',
    fix: 'Use the `openId` that the login of this mini app returned. Each mini app has its own. That of an erased user is unknown.',
    guide: guides.sandboxLogin,
    example: state('trade', 'the openId is of another mini app'),
  },
  merchant_foreign: {
    cause: '`merchantId` names a merchant that this mini app is not assigned to.',
    fix: 'Leave `merchantId` empty to use the merchant of the mini app, or send the id that its settings in the console show.',
    guide: guides.backend,
    example: state('trade', 'the merchant is of another mini app'),
  },
  notify_url_refused: {
    cause:
      'The URL is not `https`, contains a private IP address, or has a query or a fragment. Names are resolved at delivery, so a name that leads to a private address fails there.',
    fix: 'Use a URL with a public address, without query and fragment. For a host in a private network, an administrator enters it in the settings of the mini app under **Private callback hosts**, or in `SOUK_PRIVATE_HOSTS` for all mini apps.',
    guide: guides.privateHosts,
    example: state('trade', 'the address is private', { wrong: { notifyUrl: 'https://10.0.0.7/souk/callback' } }),
  },
  out_trade_no_conflict: {
    cause: 'A trade with this `outTradeNo` exists for the merchant, with another amount, user or other value.',
    fix: 'Use a new `outTradeNo` for a new order. To repeat a request, send the same values again.',
    guide: guides.backend,
    example: state('trade', 'a trade with this outTradeNo has another amount', { wrong: { amount: 1300 } }),
  },
  trade_not_found: {
    cause: 'No trade of this mini app has the number: it was mistyped, or is of another mini app or installation.',
    fix: 'Check `tradeNo` and `outTradeNo`, and whether the trade belongs to this mini app.',
    guide: guides.backend,
    example: state('tradedetail', 'the trade is of another mini app'),
  },
  trade_archived: {
    cause: 'The trade is so old that its month was moved out of the database.',
    fix: 'Ask an operator to restore the partition with `souk partitions restore`.',
    guide: guides.archivedTrades,
    example: state('tradedetail', 'the month of the trade is archived'),
  },
  too_many_trades: {
    cause:
      'Sums of trades are kept for each quarter of an hour. Trades of a quarter of which only a part is asked for are added up one by one, and all trades until the sums are complete after an upgrade. This took longer than the time limit of the database.',
    fix: 'Begin and end at a multiple of 900000 ms, or ask for one mini app. After an upgrade, try again when the sums are complete.',
    guide: guides.totals,
    example: state('tradeTotals', 'a million trades were created in a part of a quarter of an hour'),
  },
  trade_not_processing: {
    cause: 'The trade has reached a final state before the request arrived, so it cannot be closed.',
    fix: 'Query the trade. It has been paid, closed or canceled, or has expired.',
    guide: guides.backend,
    example: state('tradeclose', 'the trade has been paid'),
  },
  trade_not_refundable: {
    cause: 'No money has arrived for the trade: it is unpaid, failed, closed or expired.',
    fix: 'Only paid trades can be refunded. Query the trade.',
    guide: guides.refunds,
    example: state('refund', 'the trade is unpaid'),
  },
  refund_too_large: {
    cause: 'The amount exceeds what is left of the payment after earlier refunds.',
    fix: 'Refund at most the remaining amount, which the message names.',
    guide: guides.refunds,
    example: state('refund', '10.00 of 12.50 have been refunded before', {
      wrong: { amount: 1250 },
      right: { amount: 250 },
    }),
  },
  refund_conflict: {
    cause: 'A refund with this `refundNo` exists, with another trade or amount.',
    fix: 'Use a new `refundNo` for a new refund. To repeat a request, send the same values again.',
    guide: guides.refunds,
    example: state('refundTrade', 'the number belongs to another refund'),
  },
  out_refund_no_conflict: {
    cause: 'A refund with this `outRefundNo` exists for the merchant, with another trade or amount.',
    fix: 'Use a new `outRefundNo` for a new refund. To repeat a request, send the same values again.',
    guide: guides.backendRefunds,
    example: state('refund', 'the number belongs to another refund'),
  },
  balances_incomplete: {
    cause:
      'After an upgrade from a version that kept no balances, or a restore of its backup, a job adds up the ledger once.',
    fix: 'Retry in a few minutes. Payments and refunds go on meanwhile.',
    guide: guides.balances,
    example: state('ledgerBalances', 'the job has not added up the ledger yet'),
  },
  refund_not_found: {
    cause: 'No refund of this mini app has the number, or it was not requested by the backend.',
    fix: 'Check `refundNo`, and whether the backend of this mini app has requested the refund.',
    guide: guides.backendRefunds,
    example: state('refunddetail', 'the refund was made in the console'),
  },
  payment_in_flight: {
    cause: 'The user is paying at this moment, so the trade can neither be closed nor paid again.',
    fix: 'Wait until the payment is final, then query the trade.',
    guide: guides.backend,
    example: state('tradeclose', 'the user is in the cashier of the provider'),
  },
  payment_not_pending: {
    cause: 'The payment that should be continued has ended, or none was started.',
    fix: 'Query the trade; its payment has ended or was not started.',
    guide: guides.sandboxPay,
    example: state('answerChallenge', 'the payment has ended'),
  },
  webhook_refused: {
    cause: 'The signature of a message from a payment provider does not verify with the webhook secret of the account.',
    fix: 'Check the webhook secret of the provider account, and that no proxy changes the body.',
    guide: guides.providers,
    example: http(
      'POST /webhooks/{providerAccountId}\n\n(signed with another secret)',
      'POST /webhooks/{providerAccountId}\n\n(signed with the secret of the account)',
    ),
  },
  payment_mismatch: {
    cause: 'The amount or currency that the cashier displayed is not that of the trade.',
    fix: 'Reload the trade and show the payer the current amount.',
    guide: guides.host,
    example: state('startPayment', 'the cashier shows another amount'),
  },
  recipients_unknown: {
    cause: 'None of the values of `openId` was issued to this mini app.',
    fix: 'Use values of `openId` from the user info of this mini app.',
    guide: guides.sandboxMessages,
    example: state('sendNotify', 'the openIds are of another mini app'),
  },
  file_missing: {
    cause: 'The multipart body has no part with the name `fileData`, or the request is not multipart.',
    fix: 'Send the file as the part `fileData` of a `multipart/form-data` body.',
    guide: guides.openApi,
    example: http(
      'POST /neuopenapi/file/upload\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name="file"; filename="icon.png"',
      'POST /neuopenapi/file/upload\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name="fileData"; filename="icon.png"',
    ),
  },
  file_unsupported: {
    cause: 'The content of the file is not an image of a supported type, whatever its name says.',
    fix: 'Send a PNG, JPEG, GIF or WebP image. The type is detected from the content, not the name.',
    guide: guides.openApi,
    example: state('fileUpload', 'the file is an SVG or a PDF'),
  },
  file_too_large: {
    cause: 'The file exceeds the limit of the operation.',
    fix: 'Reduce the file to the size that the message names.',
    guide: guides.releases,
    example: state('fileUpload', 'the file is larger than the limit'),
  },
  feedback_not_found: {
    cause: 'The message was deleted after two years, or is of a project that the caller does not see.',
    fix: 'Reload the list of messages, and check the id.',
    guide: guides.hostFeedback,
    example: state('getFeedback', 'the message was deleted'),
  },
  release_refused: {
    cause:
      'The archive misses a file at its top level, contains something that a release may not, or is not a .tar.gz.',
    fix: 'Correct what the message names, and upload with `souk upload`, which checks the release first.',
    guide: guides.releases,
    example: state('uploadRelease', 'index.html is not at the top level of the archive'),
  },
  source_maps_refused: {
    cause: 'The archive contains no source maps, or those of scripts that the release does not have.',
    fix: 'Build the release again and send its source maps with `souk source-maps`.',
    guide: guides.sourceMaps,
    example: state('uploadSourceMaps', 'the source maps are of another build'),
  },
  alert_rule_not_found: {
    cause: 'The alert rule was removed in the meantime, or belongs to another mini app.',
    fix: 'Reload the list of alert rules; this one was removed.',
    guide: guides.alerts,
    example: state('muteAlertRule', 'the rule was removed'),
  },
  alert_rule_limit_reached: {
    cause: 'The mini app has as many alert rules as it can have.',
    fix: 'Remove an alert rule that you no longer need.',
    guide: guides.alerts,
    example: state('createAlertRule', 'the limit is reached', { first: 'deleteAlertRule' }),
  },
  error_group_not_found: {
    cause: 'The JavaScript error did not happen in the chosen period, or its events were deleted.',
    fix: 'Choose a longer period, or load the list again. Errors are deleted after a while.',
    guide: guides.analytics,
    example: state('getErrorStack', 'the error is older than the period'),
  },
  error_recording_not_found: {
    cause: 'The recording is older than 14 days, newer ones have replaced it, or its user was erased.',
    fix: 'Load the list again, or ask a tester to record the error again.',
    guide: guides.recordings,
    example: state('downloadErrorRecording', 'the recording is older than 14 days'),
  },
  release_not_found: {
    cause: 'The release was deleted, or is of another mini app.',
    fix: 'Check the id of the release in the list of releases, and whether it was deleted.',
    guide: guides.releases,
    example: state('publishRelease', 'the release was deleted'),
  },
  release_stage_conflict: {
    cause: 'The release is in another stage than the operation expects, for example published already.',
    fix: 'Reload the release; the message says which stage allows it.',
    guide: guides.review,
    example: state('deleteRelease', 'the release is published', { first: 'rollBack' }),
  },
  release_limit_reached: {
    cause: 'The mini app has as many releases as it can have.',
    fix: 'Delete a release that is no longer used, on the Releases page of the mini app.',
    guide: guides.releases,
    example: state('uploadRelease', 'the limit is reached', { first: 'deleteRelease' }),
  },
  release_version_taken: {
    cause: 'The version names exactly one release for a platform, and this one exists already.',
    fix: 'Upload it with another version: `souk upload --version 1.0.1`.',
    guide: guides.releases,
    example: state('uploadRelease', '1.4.0 exists for the platform', {
      wrong: { version: '1.4.0' },
      right: { version: '1.4.1' },
    }),
  },
  release_unsigned: {
    cause: '`SOUK_REQUIRE_SIGNED_RELEASES` is set, and the release has no signature of an approved key.',
    fix: 'Create a key with `souk signing-keys show`, ask an operator to approve it, and upload again: `souk upload` signs with it.',
    guide: guides.signatures,
    example: state('publishRelease', 'the release is not signed'),
  },
  release_review_required: {
    cause: 'An administrator requires a review before each publication, and this release has no approved one.',
    fix: 'Submit the release and wait for its approval.',
    guide: guides.reviews,
    example: state('publishRelease', 'the release was not reviewed', { first: 'submitRelease' }),
  },
  review_not_found: {
    cause: 'The review was withdrawn, or the id is wrong.',
    fix: 'Reload the list of reviews, and check the id: `souk review list`.',
    guide: guides.reviews,
    example: state('startReview', 'the review was withdrawn'),
  },
  review_state_conflict: {
    cause:
      'The review is in another state than the operation expects, because someone else has decided or withdrawn it.',
    fix: 'Reload the review; someone else has changed it.',
    guide: guides.reviews,
    example: state('approveRelease', 'the review was rejected meanwhile'),
  },
  canary_not_found: {
    cause: 'The release has no canary, because none was started or it has ended.',
    fix: 'Reload the release: its canary has ended, or start one.',
    guide: guides.canaries,
    example: state('widenCanary', 'the canary has ended', { first: 'startCanary' }),
  },
  canary_state_conflict: {
    cause: 'The canary is in another state than the operation expects, such as paused or halted.',
    fix: 'Reload the canary; it was paused, resumed or ended meanwhile.',
    guide: guides.canaries,
    example: state('pauseCanary', 'the canary is paused already'),
  },
  release_signature_invalid: {
    cause: 'The signature is not that of the archive, appid and version, or was made with another key.',
    fix: 'Sign the exact archive that you upload, with the key that the request names: `souk upload` does both.',
    guide: guides.signatures,
    example: state('uploadRelease', 'the archive was packed again after signing'),
  },
  signing_key_not_found: {
    cause: 'The key was not registered with this installation.',
    fix: 'Register the public key that `souk signing-keys show` prints, in the console under Profile.',
    guide: guides.signatures,
    example: state('approveSigningKey', 'the key is not registered', { first: 'registerSigningKey' }),
  },
  signing_key_foreign: {
    cause: 'The key is registered by another account than the one that uploads.',
    fix: 'Sign with a key of the uploading account: set `SOUK_SIGNING_KEY` to its file.',
    guide: guides.signatures,
    example: state('uploadRelease', 'the key belongs to another account'),
  },
  signing_key_revoked: {
    cause: 'The key was revoked, for example because its machine was lost. It can never sign again.',
    fix: 'Delete the file of the revoked key, and create and register a new one with `souk signing-keys show`.',
    guide: guides.signatures,
    example: state('uploadRelease', 'the key was revoked'),
  },
  signing_key_pending: {
    cause: 'The installation accepts approved keys only, and this one is not approved yet.',
    fix: 'Ask an operator to approve the key: `souk signing-keys approve <keyId>`.',
    guide: guides.signatures,
    example: state('uploadRelease', 'the key is pending', { first: 'approveSigningKey' }),
  },
  signing_key_limit_reached: {
    cause: 'The account has as many signing keys as an account can have.',
    fix: 'Revoke a key whose machine is no longer used.',
    guide: guides.signatures,
    example: state('registerSigningKey', 'the limit is reached', { first: 'revokeSigningKey' }),
  },
  testers_only: {
    cause: 'The mini app has releases, but none is published, and the message is for users who are not its testers.',
    fix: 'Publish a release, or send to testers only.',
    guide: guides.testers,
    example: state('sendNotify', 'a recipient is not a tester', { first: 'publishRelease' }),
  },
  inspection_not_found: {
    cause: 'The inspection was ended by either side, or after 15 minutes without use.',
    fix: 'Start a new inspection in the console.',
    guide: guides.inspector,
    example: state('sendToInspected', 'the inspection has ended', { first: 'createInspection' }),
  },
  inspection_code_invalid: {
    cause: 'The code was scanned before, is older than ten minutes, or is not one of this installation.',
    fix: 'Create a new code in the console, and scan it within ten minutes.',
    guide: guides.inspector,
    example: state('showInspection', 'the code was scanned before', { first: 'createInspection' }),
  },
  inspection_limit_reached: {
    cause: 'A project can have five inspections at a time, and all are in use.',
    fix: 'End an inspection of the project first, or wait until an unused one expires.',
    guide: guides.inspector,
    example: state('createInspection', 'five inspections are open', { first: 'endInspection' }),
  },
  change_request_not_found: {
    cause: 'The request was withdrawn, or the id is wrong.',
    fix: 'Reload the list of requests: `souk approvals list` shows those that are pending.',
    guide: guides.approvals,
    example: state('approveChange', 'the request was withdrawn'),
  },
  change_request_closed: {
    cause: 'Someone has approved, rejected or withdrawn the request in the meantime.',
    fix: 'Reload the request; it was decided or withdrawn.',
    guide: guides.approvals,
    example: state('approveChange', 'the request was rejected meanwhile'),
  },
  own_change_request: {
    cause: 'A request is approved by someone else than its author, so that two people see it.',
    fix: 'Ask another person who may approve requests.',
    guide: guides.approvals,
    example: state('approveChange', 'the caller has made the request'),
  },
  setup_closed: {
    cause: 'The setup link was used, is of an earlier start, or the console has an administrator.',
    fix: 'Sign in. While there is no administrator, the server prints a valid link at each start.',
    guide: guides.firstSignIn,
    example: state('setUp', 'the console has an administrator'),
  },
  username_taken: {
    cause: 'Another account of the installation has the user name.',
    fix: 'Choose another user name: it is unique in the installation.',
    guide: guides.members,
    example: state('joinByInvitation', 'the user name is taken'),
  },
  last_owner: {
    cause: 'The change would leave the project without an owner who could manage it.',
    fix: 'Make another member an owner first, under Members.',
    guide: guides.roles,
    example: state('leaveProject', 'the caller is the only owner', { first: 'changeMemberRole' }),
  },
  last_administrator: {
    cause: 'The change would leave the installation without an administrator.',
    fix: 'Make another account an administrator first, under Accounts.',
    guide: guides.roles,
    example: state('updateAccount', 'the account is the only administrator'),
  },
  administrator_missing: {
    cause:
      'Without an administrator who can sign in, the installation could not be managed once the admin token is disabled.',
    fix: 'Create an administrator who can sign in before the admin token is disabled.',
    guide: guides.adminToken,
    example: state('disableAdminToken', 'no administrator can sign in', { first: 'setUp' }),
  },
  own_account: {
    cause: 'The operation is for accounts of others, so that you cannot disable or reset your own by mistake.',
    fix: 'Ask another administrator to do it, or change your own account under Profile.',
    guide: guides.roles,
    example: state('createPasswordReset', 'the account is the caller’s own'),
  },
  already_member: {
    cause: 'The account that accepts the invitation is a member of the project.',
    fix: 'Change the role of the member under Members instead.',
    guide: guides.members,
    example: state('acceptInvitation', 'the account is a member'),
  },
  project_not_found: {
    cause: 'No project has the id, or the caller is not one of its members.',
    fix: 'Check the id, and that you are a member of the project.',
    guide: guides.roles,
    example: state('getProject', 'the caller is not a member'),
  },
  account_not_found: {
    cause: 'No account has the id, for example because it was mistyped or is of another installation.',
    fix: 'Check the id of the account: `souk accounts list` prints them.',
    guide: guides.accounts,
    example: state('endSessionsOf', 'the id is of another installation'),
  },
  member_not_found: {
    cause: 'The account has left the project, was removed, or was never its member.',
    fix: 'Reload the list of members; this one has left.',
    guide: guides.members,
    example: state('removeMember', 'the member has left'),
  },
  invitation_not_found: {
    cause: 'An invitation is valid once and until its expiry. Owners can revoke it before.',
    fix: 'Ask an owner of the project for a new invitation.',
    guide: guides.members,
    example: state('acceptInvitation', 'the invitation was used before', { first: 'createInvitation' }),
  },
  password_reset_not_found: {
    cause: 'A password reset link is valid once, for an hour, and until a newer one is created.',
    fix: 'Ask for a new password reset link, and use it within an hour.',
    guide: guides.accounts,
    example: state('resetPassword', 'the link is older than an hour'),
  },
  mail_not_configured: {
    cause: '`SOUK_SMTP_URL` is not set, so the installation cannot send the mail.',
    fix: 'Ask an operator to set `SOUK_SMTP_URL` and `SOUK_MAIL_FROM`, or hand the link over yourself.',
    guide: guides.mail,
    example: state('sendTestMail', 'SOUK_SMTP_URL is not set'),
  },
  mail_failed: {
    cause: 'The mail server could not be reached, or refused the sender or the recipient.',
    fix: 'Read the reason in the message, and check the mail server’s settings and its log: `souk mail status`.',
    guide: guides.mail,
    example: state('sendTestMail', 'the mail server refuses the sender'),
  },
  email_missing: {
    cause: 'The account has no e-mail address, or has not opened the link that confirms it.',
    fix: 'Add an e-mail address in your profile and confirm it.',
    guide: guides.mail,
    example: state('sendPasswordReset', 'the account has no confirmed address', { first: 'confirmEmail' }),
  },
  email_taken: {
    cause: 'Another account has confirmed the address. An address belongs to one account.',
    fix: 'Use another address, or sign in to the account that has this one.',
    guide: guides.mail,
    example: state('confirmEmail', 'another account has the address'),
  },
  email_confirmation_not_found: {
    cause: 'The link was opened before, has expired, or was replaced by a newer one.',
    fix: 'Send a new confirmation link from your profile.',
    guide: guides.mail,
    example: state('confirmEmail', 'the link was opened before', { first: 'changeEmail' }),
  },
  service_account_not_found: {
    cause: 'The service account was removed in the meantime, or is of another project.',
    fix: 'Reload the list of service accounts; this one was removed.',
    guide: guides.serviceAccounts,
    example: state('removeServiceAccount', 'the service account was removed'),
  },
  service_account_name_taken: {
    cause: 'Names of service accounts are unique in their project, and this one is in use.',
    fix: 'Choose another name, or remove the service account that has it.',
    guide: guides.serviceAccounts,
    example: state('addServiceAccount', 'the name is taken', { wrong: { name: 'CI' }, right: { name: 'CI 2' } }),
  },
  service_account_limit_reached: {
    cause: 'The project has as many service accounts as it can have.',
    fix: 'Remove a service account whose program does not run any more.',
    guide: guides.serviceAccounts,
    example: state('addServiceAccount', 'the limit is reached', { first: 'removeServiceAccount' }),
  },
  dataset_not_found: {
    cause: 'No dataset has the id. Ids of built-in ones are `<projectId>.trades` and the like.',
    fix: 'Check the id of the dataset: `souk datasets list --project <projectId>` prints them.',
    guide: guides.datasets,
    example: state('listRecords', 'the dataset was deleted'),
  },
  record_not_found: {
    cause: 'The record was deleted after the list was read.',
    fix: 'List the records again: it has been deleted.',
    guide: guides.ownDatasets,
    example: state('changeRecord', 'the record was deleted'),
  },
  dataset_name_taken: {
    cause: 'Names of datasets are unique in their project, and this one is in use.',
    fix: 'Choose another name, or append to the dataset that has it.',
    guide: guides.ownDatasets,
    example: state('createDataset', 'the name is taken', { wrong: { name: 'visits' }, right: { name: 'visits2' } }),
  },
  dataset_built_in: {
    cause: 'Built-in datasets show what Souk stores, so their records cannot be appended, changed or deleted.',
    fix: 'Create your own dataset for data that you write.',
    guide: guides.ownDatasets,
    example: state('appendRecords', 'the dataset is built in', { first: 'createDataset' }),
  },
  filter_too_broad: {
    cause: 'The filter cannot use an index, so the database would read too many records for the time limit.',
    fix: 'Add a condition that narrows what is read: a time range such as `ctime>=2026-01-01`, `appid=`, or a field with an index, which the guide lists. Repeating the request does not help.',
    guide: guides.records,
    example: state('listRecords', 'millions of records have no time range', {
      wrong: { filter: 'description=Two coffees' },
      right: { filter: 'ctime>=2026-01-01, description=Two coffees' },
    }),
  },
  batch_conflict: {
    cause: 'The `batchId` was used within a day, with other records.',
    fix: 'Use a new `batchId` for other records. To repeat a request, send the same records again.',
    guide: guides.ownDatasets,
    example: state('appendRecords', 'the batchId was used for other records', {
      wrong: { batchId: 'import-17' },
      right: { batchId: 'import-18' },
    }),
  },
  key_not_found: {
    cause: 'The key ring has no key with this id, for example because it was retired.',
    fix: 'List the keys with `souk keys status`, and check the id.',
    guide: guides.keys,
    example: state('retireKey', 'the key was retired before'),
  },
  key_in_use: {
    cause: 'Secrets in the database are still encrypted with the key.',
    fix: 'Wait until the rotation has sealed everything with the new key.',
    guide: guides.keys,
    example: state('retireKey', 'the rotation has not finished'),
  },
  key_rotation_running: {
    cause: 'A rotation has been started before, and re-encrypts the secrets now.',
    fix: 'Wait until the rotation is complete: `souk keys status` shows its progress.',
    guide: guides.keys,
    example: state('rotateKeys', 'a rotation is in progress'),
  },
  key_ring_fixed: {
    cause: '`SOUK_MASTER_KEY` fixes the keys, so the server cannot add one.',
    fix: 'Store the keys in a file instead of `SOUK_MASTER_KEY` to rotate them.',
    guide: guides.keys,
    example: state('rotateKeys', 'SOUK_MASTER_KEY is set'),
  },
  app_not_found: {
    cause: 'No mini app has the appid, or the caller is not a member of its project.',
    fix: 'Check the appid, and that you are a member of its project.',
    guide: guides.roles,
    example: state('getApp', 'the caller is not a member of the project'),
  },
  blocked_by_operator: {
    cause:
      'An administrator has blocked the account, project, mini app or release for the reason that the console shows.',
    fix: 'Read the reason in the console, where an owner can appeal; administrators lift it.',
    guide: guides.blocks,
    example: state('updateApp', 'the mini app is blocked', { first: 'appealBlock' }),
  },
  block_not_found: {
    cause: 'The id is wrong, or the block is of a project that the caller does not see.',
    fix: 'Reload the list of blocks, and check the id of the block.',
    guide: guides.blocks,
    example: state('liftBlock', 'the id is wrong'),
  },
  block_lifted: {
    cause: 'An administrator has lifted the block in the meantime.',
    fix: 'Nothing more to do: reload the page, the block no longer applies.',
    guide: guides.blocks,
    example: state('appealBlock', 'the block was lifted'),
  },
  appeal_exists: {
    cause: 'A block can be appealed once at a time, and this appeal has no answer yet.',
    fix: 'Wait for the answer of the administrators.',
    guide: guides.blocks,
    example: state('appealBlock', 'an appeal waits for its answer'),
  },
  appeal_missing: {
    cause: 'Another administrator has answered the appeal, or there is none.',
    fix: 'Reload the queue; another administrator has answered.',
    guide: guides.blocks,
    example: state('keepBlock', 'the appeal was answered'),
  },
  appeal_unavailable: {
    cause: 'Blocks of this kind end when what they name is corrected, so they have no appeal.',
    fix: 'Correct the release and submit it again, or ask an administrator.',
    guide: guides.blocks,
    example: state('appealBlock', 'the block is of a release'),
  },
  app_archived: {
    cause: 'The mini app was archived, so its users and its backend cannot use it.',
    fix: 'Ask an owner of its project to restore the mini app.',
    guide: guides.archive,
    example: state('trade', 'the mini app is archived', { first: 'restoreApp' }),
  },
  app_not_archived: {
    cause: 'Only an archived mini app can be restored or deleted, and this one is in use.',
    fix: 'Archive the mini app first: `souk app archive <appid>`.',
    guide: guides.archive,
    example: state('deleteApp', 'the mini app is in use', { first: 'archiveApp' }),
  },
  project_archived: {
    cause: 'The project was archived, and its mini apps with it.',
    fix: 'Ask an owner of the project to restore it, in the console under Archived.',
    guide: guides.archiveProjects,
    example: state('createApp', 'the project is archived', { first: 'restoreProject' }),
  },
  project_not_archived: {
    cause: 'Only an archived project can be restored or deleted, and this one is in use.',
    fix: 'Archive the project first, in the settings of the project.',
    guide: guides.archiveProjects,
    example: state('deleteProject', 'the project is in use', { first: 'archiveProject' }),
  },
  project_not_empty: {
    cause: 'The project still has mini apps, whose trades and users a deletion would take away.',
    fix: 'Delete the mini apps of the project first.',
    guide: guides.archiveProjects,
    example: state('deleteProject', 'the project has a mini app', { first: 'deleteApp' }),
  },
  app_unfinished: {
    cause: 'Trades are unpaid, refunds are owed, or callbacks wait for their delivery.',
    fix: 'Wait until its payments, refunds and callbacks are finished, then try again.',
    guide: guides.deleting,
    example: state('deleteApp', 'a callback is waiting'),
  },
  user_not_found: {
    cause: 'No user of the host has the uid.',
    fix: 'Check the uid of the user: `souk users list` finds users by name.',
    guide: guides.users,
    example: state('createCode', 'the uid is of another installation'),
  },
  callback_not_found: {
    cause: 'No callback has the number, or it is of a project that the caller does not see.',
    fix: 'Check the number of the callback: `souk callbacks list` prints them.',
    guide: guides.callbacks,
    example: state('getCallback', 'the number is of another installation'),
  },
  callback_archived: {
    cause: 'The callback is so old that its month was moved out of the database.',
    fix: 'Ask an operator to restore the partition with `souk partitions restore`.',
    guide: guides.archivedCallbacks,
    example: state('replayCallback', 'the month of the callback is archived'),
  },
  replay_not_found: {
    cause: 'The replay is of a project that the caller does not see, or the id is wrong.',
    fix: 'Reload the list of replays, and check the id.',
    guide: guides.failedHost,
    example: state('getReplay', 'the id is wrong'),
  },
  provider_account_limit_reached: {
    cause: 'The merchant has as many accounts at providers as it can have.',
    fix: 'Change an account that is no longer used instead of adding one.',
    guide: guides.providers,
    example: state('createProviderAccount', 'the limit is reached', { first: 'updateProviderAccount' }),
  },
  provider_account_not_found: {
    cause: 'The account at the provider was removed in the meantime, or the id is wrong.',
    fix: 'Reload the list of provider accounts; this one was removed.',
    guide: guides.providers,
    example: state('testProviderAccount', 'the account was removed'),
  },
  reconciliation_not_found: {
    cause: 'The id is wrong, or the reconciliation is of a project that the caller does not see.',
    fix: 'Reload the list of reconciliations: `souk reconciliations list --project <projectId>`.',
    guide: guides.reconciliation,
    example: state('getReconciliation', 'the id is wrong'),
  },
  request_not_found: {
    cause: 'The request is older than `SOUK_REQUEST_LOG_RETENTION` (7 days), or its id was mistyped.',
    fix: 'The request log is kept for a limited time. Repeat the request and look it up again.',
    guide: guides.sandboxSigns,
    example: state('getRequest', 'the request is older than a week'),
  },
  file_not_found: {
    cause:
      'No file has the address: it was deleted, mistyped, or belongs to a frame that may load it only from this server.',
    fix: 'Check the address of the file, and upload the file again if it was deleted.',
    guide: guides.releases,
    example: state('submitRelease', 'a screenshot was not uploaded', { first: 'uploadImage' }),
  },
  package_not_found: {
    cause: 'The registry of Souk has only its own packages, in one version each.',
    fix: 'Check the name. The registry has only `@souk` packages, in the version of the server.',
    guide: guides.packages,
    example: http('GET /npm/@souk%2fshop', 'GET /npm/@souk%2fcli'),
  },
  sandbox_only: {
    cause: 'The operation chooses results, users or times, which a live installation does not let anyone do.',
    fix: 'Use a sandbox. In a live installation, sandbox operations are not available.',
    guide: guides.sandbox,
    example: state('moveClock', 'the installation is live'),
  },
  backup_passphrase_weak: {
    cause: '`SOUK_BACKUP_PASSPHRASE`, or the passphrase that was typed, has fewer than 12 characters.',
    fix: 'Use a passphrase of at least 12 characters, such as one of `openssl rand -hex 24`.',
    guide: guides.backup,
    example: command(
      'SOUK_BACKUP_PASSPHRASE=short souk backup /var/backups/souk.age',
      'SOUK_BACKUP_PASSPHRASE="$(cat /etc/souk/backup-passphrase)" souk backup /var/backups/souk.age',
    ),
  },
  backup_passphrase_wrong: {
    cause: 'The backup was encrypted under another passphrase.',
    fix: 'Use the passphrase that the backup was made with. It cannot be recovered.',
    guide: guides.restoring,
    example: command(
      'souk restore /var/backups/souk.age',
      'SOUK_BACKUP_PASSPHRASE="$(cat /etc/souk/backup-passphrase)" souk restore /var/backups/souk.age',
    ),
  },
  backup_unreadable: {
    cause: 'The file does not exist, is not a backup, or the user of the command may not read it.',
    fix: 'Check the path and the permissions of the file.',
    guide: guides.restoring,
    example: command('souk restore /var/backup/souk.age', 'souk restore /var/backups/souk.age'),
  },
  backup_damaged: {
    cause: 'Bytes of the file are missing or changed, for example after an interrupted copy.',
    fix: 'Use another copy of the backup, and compare checksums after copying.',
    guide: guides.restoring,
    example: command('souk restore /var/backups/souk.age --verify', 'souk restore /mnt/copy/souk.age --verify'),
  },
  backup_version_unsupported: {
    cause: 'The schema of the backup is newer or much older than this version of Souk can read.',
    fix: 'Restore with the version of Souk that the message names, then upgrade.',
    guide: guides.restoring,
    example: command('souk restore /var/backups/souk.age', 'souk --version'),
  },
  backup_key_wrong: {
    cause: 'The database was sealed with another master key than the one that the command was given.',
    fix: 'Use the master key of the installation that the backup was made from.',
    guide: guides.restoring,
    example: command(
      'SOUK_DATA_DIR=/var/lib/other souk backup /var/backups/souk.age',
      'SOUK_DATA_DIR=/var/lib/souk souk backup /var/backups/souk.age',
    ),
  },
  copy_circular_references: {
    cause: 'The database has tables that are not of Souk and reference each other in a circle.',
    fix: 'Drop the foreign keys between the tables that the message names, if they are not of Souk. Tables that reference each other in a circle cannot be filled in any order.',
    guide: guides.moves,
    example: command(
      'souk move --to postgres://souk@db.example.com/souk',
      'psql "$DATABASE_URL" --command "alter table own.orders drop constraint orders_invoice_fkey"',
    ),
  },
  backup_exists: {
    cause: 'A file with this name exists, and a backup never replaces one.',
    fix: 'Choose another file name, or delete the file first if it is not needed.',
    guide: guides.backup,
    example: command('souk backup /var/backups/souk.age', 'souk backup /var/backups/souk-$(date +%F).age'),
  },
  backup_unwritable: {
    cause: 'The folder does not exist, is read-only, or its disk is full.',
    fix: 'Free space on the disk, and check the permissions of the folder.',
    guide: guides.backup,
    example: command('souk backup /root/souk.age', 'souk backup /var/backups/souk.age'),
  },
  partition_not_found: {
    cause: 'There is no partition with this name: it was mistyped, or is archived or dropped.',
    fix: 'List the names of the partitions with `souk partitions list`.',
    guide: guides.growth,
    example: command('souk partitions archive trades_2027-02', 'souk partitions archive trades_2027_02'),
  },
  partition_in_use: {
    cause: 'Another process archives, restores or backs up the partition at this moment.',
    fix: 'Try again when no other process archives, restores or backs up the partition. The message says what blocks it.',
    guide: guides.growth,
    example: command('souk partitions archive trades_2027_02', 'souk partitions list'),
  },
  archive_unfinished: {
    cause: 'The month has trades that can still change, or has not ended.',
    fix: 'Wait until all trades of the partition are finished; the message lists what is unfinished.',
    guide: guides.growth,
    example: command('souk partitions archive trades_2027_02', 'souk partitions list'),
  },
  archive_unwritable: {
    cause: 'The folder of `SOUK_ARCHIVE_DIR` is read-only, or its disk is full.',
    fix: 'Free space on the disk, and check the permissions of the folder.',
    guide: guides.growth,
    example: command('souk partitions archive trades_2027_02', 'souk partitions list'),
  },
  archive_damaged: {
    cause: 'The archive file differs from the SHA-256 that was recorded when it was written.',
    fix: 'Restore the archive file from a copy, and check it with `souk partitions verify`.',
    guide: guides.growth,
    example: command('souk partitions restore trades_2027_02', 'souk partitions verify'),
  },
  restore_not_empty: {
    cause: 'The data directory or the database already contains an installation, which a restore would overwrite.',
    fix: 'Restore into an empty data directory and an empty database.',
    guide: guides.restoring,
    example: command(
      'souk restore /var/backups/souk.age',
      'SOUK_DATA_DIR=/var/lib/souk-restored souk restore /var/backups/souk.age',
    ),
  },
  restore_mismatch: {
    cause: 'Rows, balances or the audit chain after the restore are not those that the backup recorded.',
    fix: 'Nothing was restored. Try another copy of the backup, and report the message.',
    guide: guides.restoring,
    example: command('souk restore /var/backups/souk.age', 'souk restore /mnt/copy/souk.age --verify'),
  },
  recover_not_needed: {
    cause: 'The key ring can open everything in the database, so there is nothing to recover.',
    fix: 'Nothing to do: the master key is complete, as `souk keys status` shows.',
    guide: guides.keys,
    example: command('souk keys recover', 'souk keys status'),
  },
  recover_key_present: {
    cause: 'A server that runs on the database has the key, so secrets need not be given up.',
    fix: 'Copy the key from the machine of the running server instead.',
    guide: guides.keys,
    example: command('souk keys recover', 'souk keys status'),
  },
  restore_failed: {
    cause: 'The database refused a row, or the connection to it ended.',
    fix: 'Nothing was restored. Correct what the message names and try again.',
    guide: guides.restoring,
    example: command('souk restore /var/backups/souk.age', 'souk restore /var/backups/souk.age --verify'),
  },
  read_only: {
    cause: 'The installation is being moved or upgraded, or its database has become a standby.',
    fix: 'Retry in a moment. The installation is being moved, upgraded or failed over.',
    guide: guides.moves,
    example: state('trade', 'the installation is being moved'),
  },
  installation_moved: {
    cause: 'The data of this database was moved to another one, and changes here would be lost.',
    fix: 'Use the database that the installation was moved to.',
    guide: guides.moves,
    example: command('souk move --to postgres://souk@db.example.com/souk', 'souk doctor'),
  },
  installation_not_moved: {
    cause: 'The installation was not moved, so there is nothing to undo.',
    fix: 'Nothing to do: the installation is on the database that the settings name.',
    guide: guides.moves,
    example: command('souk move --undo', 'souk doctor'),
  },
  move_target_unusable: {
    cause:
      'The target is not empty, is older than PostgreSQL 15, has another encoding than UTF8, or may not be written by the role.',
    fix: 'Correct what the message names: version, permissions, encoding, or a database that is not empty.',
    guide: guides.moves,
    example: command(
      'souk move --to postgres://souk@db.example.com/used',
      'souk move --to postgres://souk@db.example.com/souk',
    ),
  },
  move_failed: {
    cause: 'One of the databases could not be reached, a transaction took too long, or another move is running.',
    fix: 'The installation continues on the old database. Correct what the message names and try again.',
    guide: guides.moves,
    example: command('souk move --to postgres://souk@db.example.com/souk', 'souk doctor'),
  },
  database_upgrade_failed: {
    cause: 'The copy into the new cluster failed, for example because the disk is full.',
    fix: 'The old database is unchanged. Correct what the message names and try again.',
    guide: guides.major,
    example: command('souk database upgrade', 'souk database upgrade --programs /usr/lib/postgresql/17/bin'),
  },
  database_not_upgraded: {
    cause: 'There is no cluster of an older version beside the current one.',
    fix: 'Nothing to do: the database has not been upgraded, or the old one was discarded.',
    guide: guides.major,
    example: command('souk database rollback', 'souk versions'),
  },
  database_rollback_refused: {
    cause: 'A server has written to the new cluster, and the old one does not have these changes.',
    fix: 'Add `--discard-changes` only if you can lose what was written since then.',
    guide: guides.major,
    example: command('souk database rollback', 'souk database rollback --discard-changes'),
  },
  copy_mismatch: {
    cause: 'Rows, balances or the audit chain of the copy are not those of the original.',
    fix: 'The original is unchanged. Try again, and report the message if it happens again.',
    guide: guides.moves,
    example: command(
      'souk move --to postgres://souk@db.example.com/souk',
      'souk move --to postgres://souk@db.example.com/empty',
    ),
  },
  storage_unavailable: {
    cause: 'The object storage does not answer, or refuses the key of the installation.',
    fix: 'Retry in a moment. Operators can check the object storage with `souk storage status`.',
    guide: guides.storage,
    example: state('fileUpload', 'the bucket cannot be reached'),
  },
  storage_damaged: {
    cause: 'An object is missing in the bucket, or its bytes differ from what was stored.',
    fix: 'List missing and damaged files with `souk storage verify`, and restore them from a backup.',
    guide: guides.storage,
    example: command('souk storage move database', 'souk storage verify'),
  },
  storage_busy: {
    cause: 'Another `souk storage move` works on the same files.',
    fix: 'Wait until the other command is done: `souk storage status` shows how many files are left.',
    guide: guides.storage,
    example: command('souk storage move s3', 'souk storage status'),
  },
  internal: {
    cause: 'Souk has a defect, or its machine one: the request met a case that was not expected.',
    fix: 'Retry the request once. If it fails again, send the request id to the operator, who finds the cause in the log.',
    guide: guides.troubleshoot,
    example: state('tradedetail', 'Souk has a defect'),
  },
  unavailable: {
    cause: 'The process is starting, stopping or overloaded, or its database does not answer.',
    fix: 'Retry after the number of seconds in `Retry-After`, or in a moment.',
    guide: guides.troubleshoot,
    example: state('tradedetail', 'the database is failing over'),
  },
}
