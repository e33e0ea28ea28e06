import { webViewPath } from '../webView/path.ts'

/** Placeholder in the builds for the nonce of a response. */
export const noncePlaceholder = '__SOUK_NONCE__'
/** Placeholder in the builds for `sandbox` or `live`. */
export const environmentPlaceholder = '__SOUK_ENVIRONMENT__'
/** Placeholder in the build of the host for the server of map tiles as JSON, or nothing. */
export const mapTilesPlaceholder = '__SOUK_MAP_TILES__'

/**
 * Returns the content security policy of the console (ADR 222): its own scripts, none inline; its own style sheets, and
 * with the nonce the one that the component library creates; images from anywhere, since merchants and users link to
 * theirs.
 */
export function consolePolicy({ nonce, miniAppsUrl }: PageSettings): string {
  return format({
    ...ownPages,
    'connect-src': ["'self'", miniAppsUrl],
    'style-src': `'self' 'nonce-${nonce}'`,
  })
}

/** A page that gets a policy. */
export interface PageSettings {
  nonce: string
  sandbox: boolean
  /** Host and port of the request: the name that the browser knows this server by. */
  host: string
  /** Origin of the files of releases; undefined if it is the one of the page. */
  miniAppsUrl: string | undefined
}

/**
 * Returns the content security policy of the host application (ADR 170): like the console, without nonce, plus fonts
 * for bars of mini apps, and frames for releases and for the page around web views. `frame-src` also applies when a
 * mini app navigates its own frame, so that no foreign code reaches the bridge (ADR 284). A sandbox also allows
 * development servers on the same machine.
 */
export function hostPolicy({ sandbox, host, miniAppsUrl }: PageSettings, frameAncestors = ["'none'"]): string {
  const development = sandbox ? ['http://localhost:*', 'http://127.0.0.1:*'] : []
  return format({
    ...ownPages,
    'style-src': "'self'",
    'font-src': "'self' https: http: data:",
    'connect-src': ["'self'", miniAppsUrl, ...development],
    'frame-src': [
      ownPath(host, webViewPath),
      miniAppsUrl ? `${miniAppsUrl}/mini/` : ownPath(host, '/mini/'),
      ...development,
    ],
    'worker-src': "'self'",
    'frame-ancestors': frameAncestors,
  })
}

/** Returns the policy of the page for embedded mini apps: the host's, but these origins may frame it (ADR 339). */
export function embedPolicy(page: PageSettings, allowedOrigins: readonly string[]): string {
  return hostPolicy(page, ["'self'", ...allowedOrigins])
}

/**
 * Returns the content security policy of the documentation site. `scripts` are the hashes of its inline scripts. Styles
 * in attributes color the code of the examples; the site contains nothing that users have written. Frames run the
 * mini app of the examples.
 */
export function docsPolicy(scripts: readonly string[]): string {
  return format({
    ...ownPages,
    'script-src': ["'self'", ...scripts],
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'frame-src': "'self'",
  })
}

/**
 * Returns the content security policy of the mini app of the documentation's examples. As in a release, `sandbox` gives
 * it an opaque origin, also if it is opened without the documentation. Only pages of this server may frame it. Its
 * local pages are in its frame, whose origin no policy can name.
 */
export function examplesPolicy({ isLocalPage }: { isLocalPage: boolean }): string {
  return format({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self' data:",
    'img-src': "'self' data: blob:",
    'media-src': "'self' data: blob:",
    'connect-src': "'self' data: blob:",
    'frame-src': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    ...(!isLocalPage && { 'frame-ancestors': "'self'" }),
    sandbox: 'allow-scripts allow-forms',
  })
}

/** Returns the content security policy of the page of unknown addresses: one style sheet, and the logo. */
export function missingPolicy(nonce: string): string {
  return format({
    'default-src': "'none'",
    'style-src': `'nonce-${nonce}'`,
    'img-src': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
}

/** Checks for a host name, with a port or not. Policies cannot name IP addresses (CSP Level 3, matching of hosts). */
export const isNamedByPolicies = (host: string): boolean =>
  /^(?:127\.0\.0\.1|(?:[\w-]+\.)*[a-z][\w-]*)(?::\d+)?$/i.test(host)

/** Returns the source for a path of this server; all paths if a policy cannot name its host. */
function ownPath(host: string, path: string): string {
  return isNamedByPolicies(host) ? `${host}${path}` : "'self'"
}

const ownPages = {
  'default-src': "'none'",
  'script-src': "'self'",
  'font-src': "'self'",
  'img-src': 'https: http: data: blob:',
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

function format(policy: Record<string, string | (string | undefined)[]>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, sources].flat().filter(Boolean).join(' '))
    .join('; ')
}
