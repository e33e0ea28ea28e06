/**
 * Returns the content security policy of a mini app's files (ADR 131). `sandbox` gives a document an opaque origin even
 * if it is opened directly, so that it never runs with the origin of the host or the console. Scripts must be in the
 * release, or inline in its index.html at upload; images, media, fonts and requests may use any address; forms cannot
 * be submitted.
 *
 * @param hosts source of the pages that can frame it
 */
export function contentSecurityPolicy(inlineScripts: readonly string[], hosts: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScripts.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' https: http: data:",
    "img-src 'self' https: http: data: blob:",
    "media-src 'self' https: http: data: blob:",
    "connect-src 'self' https: http: wss: ws: data: blob:",
    'frame-src https: http:',
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${hosts}`,
    'sandbox allow-scripts allow-forms',
  ].join('; ')
}

/** Disables features that mini apps must request from their host. */
export const permissionsPolicy = [
  'camera',
  'microphone',
  'geolocation',
  'display-capture',
  'payment',
  'usb',
  'serial',
  'hid',
  'midi',
  'publickey-credentials-get',
  'clipboard-read',
]
  .map((feature) => `${feature}=()`)
  .join(', ')
