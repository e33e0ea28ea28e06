import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { ImageType } from './imageType.ts'

/** Content and media type of a file. */
export interface FileContent {
  mediaType: ImageType
  content: Buffer
}

/** An uploaded file. `ctime` is in ms of the domain clock. */
export interface UploadedFile extends FileContent {
  fileId: string
  appid: string
  ctime: number
}

/** Stores a file. One with the same id has the same content and stays as it is. */
export async function insertFile(tx: Tx, file: UploadedFile): Promise<void> {
  await tx`
    insert into files (file_id, appid, media_type, content, ctime)
    values (${file.fileId}, ${file.appid}, ${file.mediaType}, ${file.content}, ${file.ctime})
    on conflict (file_id) do nothing`
}

export async function findFile(sql: Sql, fileId: string): Promise<FileContent | undefined> {
  const [file] = await sql<FileContent[]>`
    select media_type as "mediaType", content from files where file_id = ${fileId}`
  return file
}
