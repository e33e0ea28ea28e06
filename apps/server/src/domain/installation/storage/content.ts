/** Size of the parts in which the database stores large contents, in bytes. */
export const partSize = 128 * 1024

/** A content of `size` bytes, which can be a gzip. */
export interface StoredContent {
  size: number
  /** The first part of a content in the database; null for an object. */
  start: Buffer | null
  /** SHA-256 of the content in the object storage, hexadecimal; null for a content in the database. */
  object: string | null
}
