/** A mini app of the fake. */
export interface FakeApp {
  readonly appid: string
  readonly name: string
  readonly merchantId: string
  /** Active secrets, newest first, and when they end, ms. */
  readonly secrets: { readonly secret: string; until: number }[]
  isEnabled: boolean
  capabilities: ReadonlySet<string>
}
