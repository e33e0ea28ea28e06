import type { ImageType } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { partSize, type StoredContent } from '../../installation/index.ts'

/** A stored file. */
export interface StoredFile extends StoredContent {
  mediaType: ImageType
}

/** An uploaded file. `ctime` is in ms of the domain clock. */
export interface UploadedFile {
  fileId: string
  appid: string
  mediaType: ImageType
  /** Null for an object. */
  content: Buffer | null
  /** SHA-256 of the content in the object storage, hexadecimal. */
  object: string | null
  ctime: number
}

/** Stores a file. One with the same id has the same content and stays as it is. */
export async function insertFile(tx: Tx, file: UploadedFile): Promise<void> {
  await tx`
    insert into files (file_id, appid, media_type, content, object, ctime)
    values (${file.fileId}, ${file.appid}, ${file.mediaType}, ${file.content},
      ${file.object === null ? null : Buffer.from(file.object, 'hex')}, ${file.ctime})
    on conflict (file_id) do nothing`
}

export async function findFile(sql: Sql, fileId: string): Promise<StoredFile | undefined> {
  const [file] = await sql<StoredFile[]>`
    select media_type, coalesce(o.size::integer, length(content)) as size,
      substring(content for ${partSize}::integer) as start, encode(object, 'hex') as object
    from files left join stored_objects o on o.hash = object
    where file_id = ${fileId}`
  return file
}

/** Returns those of the files that belong to a mini app. */
export async function listFilesAmong(tx: Tx, appid: string, fileIds: readonly string[]): Promise<ReadonlySet<string>> {
  const files = await tx<{ fileId: string }[]>`
    select file_id from files
    where appid = ${appid} and file_id = any(${[...fileIds]}::text[]::uuid[])`
  return new Set(files.map(({ fileId }) => fileId))
}
