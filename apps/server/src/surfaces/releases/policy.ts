import type { Domains } from '@souk/contract'

/** Input of a release's policy. */
interface ReleaseSettings {
  /** Hashes of the inline scripts that index.html contained at upload. */
  inlineScripts: readonly string[]
  /** Source of the pages that can frame it. */
  hosts: string
  /** Hosts that it may reach; undefined in a sandbox, where it may reach any. */
  domains: Domains | undefined
}

/**
 * Returns the content security policy of a mini app's files (ADR 131). `sandbox` gives a document an opaque origin even
 * if it is opened directly, so that it never runs with the origin of the host or the console. Scripts must be in the
 * release, or inline in its index.html at upload. Requests, images, media, fonts and frames may use the approved hosts
 * only: a policy cannot tell requests from uploads and downloads, and an image is a request too. Forms cannot be
 * submitted.
 */
export function contentSecurityPolicy({ inlineScripts, hosts, domains }: ReleaseSettings): string {
  const files = domains ? sourcesOf(domains.download) : ['https:', 'http:']
  const requests = domains ? requestSources(domains) : ['https:', 'http:', 'wss:', 'ws:']
  const frames = domains ? sourcesOf(domains.webView) : ['https:', 'http:']
  return [
    ["default-src 'none'"],
    ["script-src 'self'", ...inlineScripts.map((hash) => `'${hash}'`)],
    ["style-src 'self' 'unsafe-inline'"],
    ["font-src 'self' data:", ...files],
    ["img-src 'self' data: blob:", ...files],
    ["media-src 'self' data: blob:", ...files],
    ["connect-src 'self' data: blob:", ...requests],
    ['frame-src', ...(frames.length > 0 ? frames : ["'none'"])],
    ["form-action 'none'"],
    ["base-uri 'none'"],
    [`frame-ancestors ${hosts}`],
    ['sandbox allow-scripts allow-forms'],
  ]
    .map((directive) => directive.join(' '))
    .join('; ')
}

const sourcesOf = (domains: readonly string[]) => domains.map((domain) => `https://${domain}`)

function requestSources({ request, upload, download }: Domains): string[] {
  return [...new Set(sourcesOf([...request, ...upload, ...download])), ...request.map((domain) => `wss://${domain}`)]
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
