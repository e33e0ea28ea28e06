/** Constants used by both ends of the bridge, separate so that mini apps do not bundle the validators of the host. */

/** Protocol version. A host and a runtime with different versions refuse to connect. */
export const bridgeVersion = 1

/** Matches the paths, relative to an app's folder, of local pages that a web-view shows, and of their files. */
export const localPages = /^(?:uni_modules\/[^/]+\/)?hybrid\/html\//

/** Storage limits in bytes: of a key, of key and value together, of all entries of a mini app. */
export const storageLimits = { key: 1024, entry: 1024 ** 2, total: 10 * 1024 ** 2 } as const

/** Limits of the files that a mini app keeps: their number, and their size in bytes in all. */
const filesLimits = { count: 1000, size: 10 * 1024 ** 2 }

/** Returns why a mini app cannot keep files of these sizes in bytes; undefined if it can. */
export function filesProblem(sizes: readonly number[]): string | undefined {
  if (sizes.length > filesLimits.count) return `the files are full: the limit is ${filesLimits.count} files`
  const size = sizes.reduce((sum, each) => sum + each, 0)
  return size > filesLimits.size ? 'the files are full: the limit is 10 MB' : undefined
}

/**
 * Limits of a card: characters of the title, of the page and of a picture's address, and bytes of a picture that has no
 * address, and of `extraData`, which the link of a card contains.
 */
export const cardLimits = { title: 200, path: 2048, address: 2048, picture: 128 * 1024, extraData: 2048 } as const

/** Returns the size in bytes of the content of a data URL in base64. */
export function contentSize(address: string): number {
  const base64 = address.length - address.indexOf(',') - 1
  return (base64 / 4) * 3 - (address.endsWith('==') ? 2 : address.endsWith('=') ? 1 : 0)
}

/** Returns the size of a storage entry in bytes. */
export function entrySize(key: string, data: string): number {
  return utf8Length(key) + utf8Length(data)
}

/**
 * Limits of toasts, as WeChat and uni-app document them for titles: two lines, the rest is cut off. The duration in ms
 * is our own, because the original names none. A longer one ends there.
 */
export const toastLimits = { lines: 2, duration: 10_000 } as const

/** Maximum number of pending requests per frame; further ones are refused. */
export const openRequestsLimit = 100

/** Returns the UTF-8 length of a string in bytes. A lone surrogate counts 3, like U+FFFD which replaces it. */
export function utf8Length(value: string): number {
  let length = value.length
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index)
    if (unit < 0x80) continue
    length += unit < 0x800 ? 1 : 2
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = value.charCodeAt(index + 1)
      if (next >= 0xdc00 && next < 0xe000) index++
    }
  }
  return length
}
