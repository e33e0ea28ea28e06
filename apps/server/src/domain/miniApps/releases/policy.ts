import { createHash } from 'node:crypto'
import type { Domains } from '@souk/contract'
import type { MapTiles } from '@souk/contract/bridge'
import type { Context, FullContext } from '../../context.ts'

/** Input of a release's policy. */
interface ReleaseSettings {
  settings: Context['settings']
  web: Pick<FullContext['web'], 'miniAppsUrl' | 'mapTiles'>
  /** Origins of the pages that the host may be embedded in. */
  allowedOrigins: readonly string[]
  /** Approved hosts. In a sandbox it may reach any. */
  domains: Domains
  /** Hashes of the inline scripts that index.html contained at upload. */
  inlineScripts: readonly string[]
}

/**
 * Returns a hash of everything that documents of a mini app are served with, except their contents, which never change.
 * It is part of the address under which browsers may keep a document.
 */
export function documentVersion(settings: Omit<ReleaseSettings, 'inlineScripts'>): string {
  const policy = contentSecurityPolicy({ ...settings, inlineScripts: [] })
  return createHash('sha256').update(policy).digest('hex').slice(0, 16)
}

/**
 * Returns the content security policy of a mini app's files (ADR 161). `sandbox` gives a document an opaque origin even
 * if it is opened directly, so that it never runs with the origin of the host or the console. Scripts must be in the
 * release, or inline in its index.html at upload. Requests, images, media, fonts and frames may use the approved hosts
 * only: a policy cannot tell requests from uploads and downloads, and an image is a request too. Forms cannot be
 * submitted.
 */
export function contentSecurityPolicy({
  settings: { publicUrl, sandbox },
  web: { miniAppsUrl, mapTiles },
  allowedOrigins,
  domains: approved,
  inlineScripts,
}: ReleaseSettings): string {
  const domains = sandbox ? undefined : approved
  const files = domains ? sourcesOf(domains.download) : ['https:', 'http:']
  const requests = domains ? requestSources(domains) : ['https:', 'http:', 'wss:', 'ws:']
  const frames = domains ? sourcesOf(domains.webView) : ['https:', 'http:']
  return [
    ["default-src 'none'"],
    ["script-src 'self'", ...inlineScripts.map((hash) => `'${hash}'`)],
    ["style-src 'self' 'unsafe-inline'"],
    ["font-src 'self' data:", ...files],
    ["img-src 'self' data: blob:", ...files, ...(domains && mapTiles ? [tileSource(mapTiles)] : [])],
    ["media-src 'self' data: blob:", ...files],
    ["connect-src 'self' data: blob:", ...requests],
    ['frame-src', ...(frames.length > 0 ? frames : ["'none'"])],
    ["form-action 'none'"],
    ["base-uri 'none'"],
    // Browsers compare all frames around, and so also the pages that the host is embedded in.
    ['frame-ancestors', miniAppsUrl ? new URL(publicUrl).origin : "'self'", ...allowedOrigins],
    ['sandbox allow-scripts allow-forms'],
  ]
    .map((directive) => directive.join(' '))
    .join('; ')
}

const sourcesOf = (domains: readonly string[]) => domains.map((domain) => `https://${domain}`)

/** Returns the source of the folder of tiles. A policy cannot contain semicolons and commas. */
function tileSource({ url }: MapTiles): string {
  const [folder] = /^[^{?]*\//.exec(url)!
  return new URL(folder).href.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

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
