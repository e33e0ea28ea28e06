/** What the builds write wherever the nonce of an answer belongs. */
export const noncePlaceholder = '__SOUK_NONCE__'
/** What they write where the page is to read `sandbox` or `live`. */
export const environmentPlaceholder = '__SOUK_ENVIRONMENT__'

/**
 * What a page of the console may load and run (ADR 220): its own scripts and nothing inline; its own style sheets and the one
 * that the component library writes at run time, under the nonce; pictures from anywhere, since merchants and users
 * name theirs by address; nothing else from anywhere.
 */
export function consolePolicy(nonce: string): string {
  return joined({
    ...ownPages,
    'style-src': `'self' 'nonce-${nonce}'`,
  })
}

/**
 * What the host application may load and run (ADR 170): as the console, without its nonce; fonts of the bars of mini apps; and frames, with
 * releases from this server and web views from elsewhere. A sandbox may also hold a mini app from a development server on the same machine.
 */
export function hostPolicy(_nonce: string, sandbox: boolean): string {
  const development = sandbox ? ' http://localhost:* http://127.0.0.1:*' : ''
  return joined({
    ...ownPages,
    'style-src': "'self'",
    'font-src': "'self' https: http: data:",
    'connect-src': `'self'${development}`,
    'frame-src': `'self' https:${development}`,
    'worker-src': "'self'",
  })
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

function joined(policy: Record<string, string>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}
