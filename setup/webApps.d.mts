/** What the browser tests ask of webApps.mjs. */
export interface WebApp {
  name: string
  folder: string
  sources: string[]
}
export const webApps: readonly WebApp[]
export function isBuilt(root: string, app: WebApp): boolean
