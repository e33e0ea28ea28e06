/** Constants used by both ends of the bridge, separate so that mini apps do not bundle the validators of the host. */

/** Protocol version. A host and a runtime with different versions refuse to connect. */
export const bridgeVersion = 1

/** Storage limits in bytes: of a key, of key and value together, of all entries of a mini app. */
export const storageLimits = { key: 1024, entry: 1024 ** 2, total: 10 * 1024 ** 2 } as const

/** Returns the size of a storage entry in bytes. */
export function entrySize(key: string, data: string): number {
  return utf8Length(key) + utf8Length(data)
}

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
