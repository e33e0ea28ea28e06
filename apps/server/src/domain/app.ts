import type { Capability, Language } from '@souk/contract'

/** A mini app as requests need it: its rights, its secrets in plain text, its merchant. Never to be logged whole. */
export interface App {
  appid: string
  /** 32 hexadecimal digits. */
  projectId: string
  name: string
  enabled: boolean
  capabilities: ReadonlySet<Capability>
  defaultLanguage: Language
  /** Those that it speaks. */
  languages: readonly Language[]
  iconUrl: string | null
  /** The current one first. Ended ones may be among them: ask `activeSecrets`. */
  secrets: readonly AppSecret[]
  merchant: Merchant | null
  /** It has releases and none of them is published: only its testers open it and get its messages (ADR 160). */
  onlyTesters: boolean
  /** Paths of the pages of its current releases, or of all where none is published; null where it has no release. */
  pages: readonly string[] | null
  /** Hosts that its callbacks may reach although they are private (ADR 20). */
  callbackHosts: readonly string[]
  /** ms */
  ctime: number
}

/** `validUntil` is null for the current secret, else the end of its overlap on the domain clock, ms. */
export interface AppSecret {
  secret: string
  validUntil: number | null
}

/** Who is paid by the trades of a mini app. `merchantId` is 32 hexadecimal digits. */
export interface Merchant {
  merchantId: string
  name: string | null
  logoUrl: string | null
}

/** The secrets that a sign may be made with at `now` (domain clock, ms), the current one first. */
export function activeSecrets(app: App, now: number): string[] {
  return app.secrets.filter((each) => isActive(each, now)).map((each) => each.secret)
}

/** Secrets that were rotated away, as far as they are still known: only to explain a sign that is made with one. */
export function retiredSecrets(app: App, now: number): string[] {
  return app.secrets.filter((each) => !isActive(each, now)).map((each) => each.secret)
}

function isActive({ validUntil }: AppSecret, now: number): boolean {
  return validUntil === null || now < validUntil
}
