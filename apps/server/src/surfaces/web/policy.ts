/** What the build of the console writes wherever the nonce of an answer belongs. */
export const noncePlaceholder = '__SOUK_NONCE__'

/**
 * What a page of the console may load and run (ADR 222): its own scripts and nothing inline; its own style sheets and the one
 * that the component library writes at run time, under the nonce; pictures from anywhere, since merchants and users
 * name theirs by address; nothing else from anywhere.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    'img-src https: http: data: blob:',
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
