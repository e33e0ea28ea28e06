/**
 * What a file of a mini app may do as a document (ADR 131). `sandbox` gives it an origin that it shares with nobody, also where
 * somebody opens it by itself, so that it never runs as the host or the console, which this same server serves. Scripts come
 * from the release, or stood in its index.html when it was uploaded; pictures, sounds, fonts and requests go to the
 * addresses that the mini app has anywhere; forms are handled by scripts and sent nowhere. Only pages of this server frame it.
 */
export function contentSecurityPolicy(inlineScripts: readonly string[]): string {
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
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms',
  ].join('; ')
}

/** What a mini app asks its host for, and the browser only on the host's behalf. */
export const permissionsPolicy = [
  ...['camera', 'microphone', 'geolocation', 'display-capture', 'payment', 'usb', 'serial', 'hid', 'midi'],
  ...['publickey-credentials-get', 'clipboard-read'],
]
  .map((feature) => `${feature}=()`)
  .join(', ')
