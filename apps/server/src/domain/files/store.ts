import type { Sql, Tx } from '../../kernel/db/pool.ts'
import { partSize, type StoredContent } from '../content.ts'
import type { ImageType } from './imageType.ts'

/** A stored file. */
export interface StoredFile extends StoredContent {
  mediaType: ImageType
}

/** An uploaded file. `ctime` is in ms of the domain clock. */
export interface UploadedFile {
  fileId: string
  appid: string
  mediaType: ImageType
  content: Buffer
  ctime: number
}

/** Stores a file. One with the same id has the same content and stays as it is. */
export async function insertFile(tx: Tx, file: UploadedFile): Promise<void> {
  await tx`
    insert into files (file_id, appid, media_type, content, ctime)
    values (${file.fileId}, ${file.appid}, ${file.mediaType}, ${file.content}, ${file.ctime})
    on conflict (file_id) do nothing`
}

export async function findFile(sql: Sql, fileId: string): Promise<StoredFile | undefined> {
  const [file] = await sql<StoredFile[]>`
    select media_type as "mediaType", length(content) as size, substring(content for ${partSize}::integer) as start
    from files where file_id = ${fileId}`
  return file
}

/** Returns the part of a file at an offset in bytes, or undefined if the file does not exist. */
export async function findPart(sql: Sql, fileId: string, offset: number): Promise<Buffer | undefined> {
  const [row] = await sql<[{ part: Buffer }?]>`
    select substring(content from ${offset + 1}::integer for ${partSize}::integer) as part
    from files where file_id = ${fileId}`
  return row?.part
}
