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
 * only: a policy cannot tell requests from uploads and downloads, and an image is a request too. Frames may also show
 * the release's local pages; all other pages of this server reject a frame in a frame. Forms cannot be submitted.
 */
export function contentSecurityPolicy(settings: ReleaseSettings): string {
  const {
    settings: { publicUrl },
    web: { miniAppsUrl },
    allowedOrigins,
    inlineScripts,
  } = settings
  return join([
    ["script-src 'self'", ...inlineScripts.map((hash) => `'${hash}'`)],
    ...sources(settings),
    // Browsers compare all frames around, and so also the pages that the host is embedded in.
    ['frame-ancestors', miniAppsUrl ? new URL(publicUrl).origin : "'self'", ...allowedOrigins],
  ])
}

/**
 * Returns the policy of a local page in a web-view. Its inline scripts are as good as its files, since nothing but the
 * release writes into it. A policy cannot name the opaque origin of the frame around it.
 */
export function localPagePolicy(settings: ReleaseSettings): string {
  return join([["script-src 'self' 'unsafe-inline'"], ...sources(settings)])
}

/** Returns the directives of all documents in a release. */
function sources({ settings: { sandbox }, web: { mapTiles }, domains: approved }: ReleaseSettings): string[][] {
  const domains = sandbox ? undefined : approved
  const files = domains ? sourcesOf(domains.download) : ['https:', 'http:']
  const requests = domains ? requestSources(domains) : ['https:', 'http:', 'wss:', 'ws:']
  const frames = domains ? ["'self'", ...sourcesOf(domains.webView)] : ['https:', 'http:']
  return [
    ["style-src 'self' 'unsafe-inline'"],
    ["font-src 'self' data:", ...files],
    ["img-src 'self' data: blob:", ...files, ...(domains && mapTiles ? [tileSource(mapTiles)] : [])],
    ["media-src 'self' data: blob:", ...files],
    ["connect-src 'self' data: blob:", ...requests],
    ['frame-src', ...frames],
    ["form-action 'none'"],
    ["base-uri 'none'"],
  ]
}

const join = (directives: readonly string[][]) =>
  [["default-src 'none'"], ...directives, ['sandbox allow-scripts allow-forms']]
    .map((directive) => directive.join(' '))
    .join('; ')

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
