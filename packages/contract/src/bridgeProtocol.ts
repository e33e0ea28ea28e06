/** What both ends of the bridge go by. A module of its own, so that a mini app does not carry the checks of its host. */

/** Of this protocol. A host and a runtime that do not share it say so and stop. */
export const bridgeVersion = 1

/** What a mini app may store: bytes as UTF-8 of its key and of its text together. */
export const storageLimits = { key: 1024, entry: 1024 ** 2, total: 10 * 1024 ** 2 } as const

/** What an entry of the storage takes, in bytes. */
export function entrySize(key: string, data: string): number {
  return utf8Length(key) + utf8Length(data)
}

/** How many requests of one frame may be without an answer at the same time; another one is refused. */
export const openRequestsLimit = 100

/** How many bytes a text takes as UTF-8; a surrogate that stands alone takes three, as its replacement does. */
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
