import type { Domains } from '@souk/contract'
import type { MapTiles } from '@souk/contract/bridge'

/** Input of a release's policy. */
interface ReleaseSettings {
  /** Hashes of the inline scripts that index.html contained at upload. */
  inlineScripts: readonly string[]
  /** Sources of the pages that can be around its frame. */
  hosts: readonly string[]
  /** Hosts that it may reach; undefined in a sandbox, where it may reach any. */
  domains: Domains | undefined
  /** Server of map tiles, which every mini app may load images from; undefined if none is configured. */
  mapTiles?: MapTiles | undefined
}

/**
 * Returns the content security policy of a mini app's files (ADR 131). `sandbox` gives a document an opaque origin even
 * if it is opened directly, so that it never runs with the origin of the host or the console. Scripts must be in the
 * release, or inline in its index.html at upload. Requests, images, media, fonts and frames may use the approved hosts
 * only: a policy cannot tell requests from uploads and downloads, and an image is a request too. Forms cannot be
 * submitted.
 */
export function contentSecurityPolicy({ inlineScripts, hosts, domains, mapTiles }: ReleaseSettings): string {
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
    ['frame-ancestors', ...hosts],
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
