import type { Capability, Category, Domains, Language } from '@souk/contract'

/** A mini app with its capabilities, merchant and plaintext secrets. Contains secrets; never log it. */
export interface App {
  appid: string
  /** 32 hexadecimal digits. */
  projectId: string
  name: string
  enabled: boolean
  /** Time of archiving (domain clock, ms); null if it is not archived. */
  archivedTime: number | null
  capabilities: ReadonlySet<Capability>
  defaultLanguage: Language
  /** The supported languages. */
  languages: readonly Language[]
  iconUrl: string | null
  /** The current secret first. May include expired ones: use `activeSecrets`. */
  secrets: readonly AppSecret[]
  merchant: Merchant | null
  /** True if it has releases but none is published, so that only testers can open it or get its messages (ADR 162). */
  onlyTesters: boolean
  /** Page paths of the current releases, or of all releases if none is published; null without releases. */
  pages: readonly string[] | null
  /** Private hosts that its callbacks may reach (ADR 207). */
  callbackHosts: readonly string[]
  /** Hosts that its pages may reach over https. */
  domains: Domains
  /** Names by language, where they differ from `name`. */
  names: Readonly<Partial<Record<Language, string>>>
  category: Category | null
  /** Search terms in addition to its names. */
  keywords: readonly string[]
  /** Whether errors of the open API have HTTP 200; null if as the installation is configured. */
  openApiAlways200: boolean | null
  /** True if hosts recommend it. */
  recommended: boolean
  /** Creation time in ms. */
  ctime: number
}

/** A secret of a mini app. `validUntil` is null for the current one, else the end of its overlap (domain clock, ms). */
export interface AppSecret {
  secret: string
  validUntil: number | null
}

/** The payee of the trades of a mini app. `merchantId` is 32 hexadecimal digits. */
export interface Merchant {
  merchantId: string
  name: string | null
  logoUrl: string | null
}

/** Returns whether users can open a mini app and its backend can call the open API. */
export function isAvailable(app: App): boolean {
  return app.enabled && app.archivedTime === null
}

/** Returns the secrets that are valid for signing at `now` (domain clock, ms), the current one first. */
export function activeSecrets(app: App, now: number): string[] {
  return app.secrets.filter((each) => isActive(each, now)).map((each) => each.secret)
}

/** Returns expired secrets that are still stored. Only used to explain a sign that was made with one. */
export function retiredSecrets(app: App, now: number): string[] {
  return app.secrets.filter((each) => !isActive(each, now)).map((each) => each.secret)
}

function isActive({ validUntil }: AppSecret, now: number): boolean {
  return validUntil === null || now < validUntil
}
