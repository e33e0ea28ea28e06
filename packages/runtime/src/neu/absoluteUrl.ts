import { appFileAddress } from './appFileAddress.ts'
import { isAppFile } from './appFilePaths.ts'

/**
 * Returns the absolute address of a path that a page uses: addresses stay as they are, paths of the project (with or
 * without leading `/` or `@/`) are resolved against the app's document. Also valid outside this document. An empty
 * path stays empty.
 */
export function absoluteUrl(path: string): string {
  if (isAppFile(path)) return appFileAddress(path)
  const isAddress = /^([a-z][a-z\d+.-]*:|\/\/)/i.test(path)
  return path && new URL(isAddress ? path : path.replace(/^@?\/+/, ''), document.baseURI).href
}
