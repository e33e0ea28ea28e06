/**
 * The address of what a page names: an address as it is, or a path of the project, which begins where the app's document is, with `/` or `@/` in front or
 * without. Good for whoever draws outside of this document too; empty stays empty.
 */
export function absoluteUrl(path: string): string {
  const isAddress = /^([a-z][a-z\d+.-]*:|\/\/)/i.test(path)
  return path && new URL(isAddress ? path : path.replace(/^@?\/+/, ''), document.baseURI).href
}
