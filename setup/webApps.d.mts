export interface WebApp {
  name: string
  folder: string
  sources: string[]
}
export const webApps: readonly WebApp[]
export function isBuilt(root: string, app: WebApp): boolean
export function hashSources(root: string, app: Pick<WebApp, 'folder' | 'sources'>): string
