/**
 * Access to the project's files. Paths are relative to the folder of pages.json, with forward slashes and without a
 * leading slash. Checks that need files are skipped if it is not provided.
 */
export type Files = {
  readonly exists: (path: string) => boolean
  /** Size in bytes; undefined if unknown. */
  readonly size?: (path: string) => number | undefined
  /** Names of the entries of a folder, for "did you mean" messages; empty if the folder does not exist. */
  readonly list?: (folder: string) => readonly string[]
  /** Text of a file; undefined if it does not exist or is not text. */
  readonly read?: (path: string) => string | undefined
}

/** Path of the component that replaces the tab bar if `tabBar.custom` is true, without extension. */
export const customTabBar = 'custom-tab-bar/index'

export const pageExtensions = ['vue', 'nvue', 'uvue'] as const

/** Removes the extension of a page file. */
export const withoutExtension = (path: string): string => path.replace(/\.(?:vue|nvue|uvue)$/, '')

/** Returns the file of a page path; undefined if there is none. */
export function pageFile(files: Files, path: string): string | undefined {
  for (const extension of pageExtensions) {
    const file = `${path}.${extension}`
    if (files.exists(file)) return file
  }
  return undefined
}

/** Returns whether a page is rendered natively, because its only file is an nvue file (pages-json §2.5). */
export function isNvue(files: Files | undefined, path: string): boolean {
  if (files === undefined) return false
  return files.exists(`${path}.nvue`) && !files.exists(`${path}.vue`)
}

/** Converts a path to one relative to the project root: removes a leading `/`, `./`, `@/` or `~@/`. */
export function projectPath(path: string): string {
  return path.replace(/^(?:~?@\/|(?:\.?\/)+)/, '')
}

/** Classifies paths that are not project files: network addresses, and others such as `data:`. */
export function schemeOf(path: string): 'network' | 'other' | undefined {
  if (/^(?:https?:)?\/\//i.test(path)) return 'network'
  return /^[a-z][\w+.-]*:/i.test(path) ? 'other' : undefined
}
