/**
 * What the engine asks about the project's files. Paths are relative to the folder of pages.json, with forward slashes and nothing
 * at their front. Without a lookup nothing is said about files.
 */
export type Files = {
  readonly exists: (path: string) => boolean
  /** In bytes; undefined where it is not known. */
  readonly size?: (path: string) => number | undefined
  /** Names in a folder, for a did-you-mean; none where it does not exist. */
  readonly list?: (folder: string) => readonly string[]
}

export const pageExtensions = ['vue', 'nvue', 'uvue'] as const

/** A path without the extension of a page's file. */
export const withoutExtension = (path: string): string => path.replace(/\.(?:vue|nvue|uvue)$/, '')

/** The file of a page path, or undefined where there is none. */
export function pageFile(files: Files, path: string): string | undefined {
  for (const extension of pageExtensions) {
    const file = `${path}.${extension}`
    if (files.exists(file)) return file
  }
  return undefined
}

/** Whether a page is rendered natively (§2.5): its only file is an nvue one. */
export function isNvue(files: Files | undefined, path: string): boolean {
  if (files === undefined) return false
  return files.exists(`${path}.nvue`) && !files.exists(`${path}.vue`)
}

/** A path as a file of the project: `/`, `./`, `@/` and `~@/` at its front mean the project's root. */
export function projectPath(path: string): string {
  return path.replace(/^(?:~?@\/|(?:\.?\/)+)/, '')
}

/** Whether a path leads out of the project, to a server or into the text itself. */
export function schemeOf(path: string): 'network' | 'other' | undefined {
  if (/^(?:https?:)?\/\//i.test(path)) return 'network'
  return /^[a-z][\w+.-]*:/i.test(path) ? 'other' : undefined
}
