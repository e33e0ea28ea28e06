/** Placeholder in the builds for the nonce of a response. */
export const noncePlaceholder = '__SOUK_NONCE__'
/** Placeholder in the builds for `sandbox` or `live`. */
export const environmentPlaceholder = '__SOUK_ENVIRONMENT__'

/**
 * Returns the content security policy of the console (ADR 220): its own scripts, none inline; its own style sheets, and
 * with the nonce the one that the component library creates; images from anywhere, since merchants and users link to
 * theirs.
 */
export function consolePolicy(nonce: string): string {
  return format({
    ...ownPages,
    'style-src': `'self' 'nonce-${nonce}'`,
  })
}

/**
 * Returns the content security policy of the host application (ADR 170): like the console, without nonce, plus fonts
 * for bars of mini apps, and frames for releases and web views. A sandbox also allows development servers on the same
 * machine.
 */
export function hostPolicy(_nonce: string, sandbox: boolean): string {
  const development = sandbox ? ' http://localhost:* http://127.0.0.1:*' : ''
  return format({
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

function format(policy: Record<string, string>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}
