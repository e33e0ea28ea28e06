import { type Static, Type } from 'typebox'

/** Ways in which a page of a mini app may use a host, each with its own list of approved hosts. */
export const domainPurposes = ['request', 'upload', 'download', 'webView'] as const
export type DomainPurpose = (typeof domainPurposes)[number]

/** Maximum number of hosts per purpose. */
export const maxDomains = 50

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const topLevel = '[a-z]([a-z0-9-]{0,61}[a-z0-9])?'
const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

/** A host reached over https, such as `api.example.com`, `*.example.com` or `api.example.com:8443`. */
const DomainSchema = Type.String({ maxLength: 255, pattern: `^(\\*\\.)?(${label}\\.)+${topLevel}(:${port})?$` })

const list = (description: string) => Type.Array(DomainSchema, { maxItems: maxDomains, uniqueItems: true, description })

/** The hosts that pages of a mini app may reach over https, by purpose. */
export const DomainsSchema = Type.Object(
  {
    request: list('Hosts of requests.'),
    upload: list('Hosts that files are uploaded to.'),
    download: list('Hosts that files are downloaded from.'),
    webView: list('Hosts of pages in a web view.'),
  } satisfies Record<DomainPurpose, unknown>,
  { additionalProperties: false },
)
export type Domains = Static<typeof DomainsSchema>

/** The lists of a mini app for which no host has been approved. */
export const noDomains: Domains = { request: [], upload: [], download: [], webView: [] }
