import { createHash } from 'node:crypto'
import { maxFileSize, type openOperations, type ResultOf, SoukError } from '@souk/contract'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { storeObject, storesObjects, useObject } from '../storage/index.ts'
import { claimSign } from '../usedSigns.ts'
import { extensions, imageType } from './imageType.ts'
import { insertFile } from './store.ts'

type FileUpload = typeof openOperations.fileUpload

/**
 * Stores an image of the caller and returns its public URL. The same content of the same mini app has the same URL, so
 * that a repeated upload changes nothing.
 *
 * The file is not signed, so a sign stores one file only (ADR 282).
 *
 * @throws SoukError `file_too_large`, `file_unsupported`, `sign_reused`, `storage_unavailable`
 */
export async function uploadFile(
  context: Context,
  caller: AppCaller,
  { content }: { content: Buffer },
): Promise<ResultOf<FileUpload>> {
  if (content.length > maxFileSize) {
    throw new SoukError('file_too_large', `fileData must be at most ${maxFileSize} bytes.`)
  }
  const mediaType = imageType(content)
  if (!mediaType) {
    throw new SoukError('file_unsupported', 'Send PNG, JPEG, GIF or WebP; the content determines the type.')
  }
  const { appid } = caller.app
  const fileId = createHash('sha256').update(appid).update(content).digest('hex').slice(0, 32)
  const object = storesObjects(context) ? await storeObject(context, content) : null
  await context.sql.begin(async (tx) => {
    if (!(await claimSign(context, tx, caller, fileId))) return
    if (object !== null) await useObject(context, tx, object)
    const stored = object === null ? { content, object } : { content: null, object }
    await insertFile(tx, { fileId, appid, mediaType, ...stored, ctime: context.clock.now() })
  })
  return { url: `${context.settings.publicUrl}/files/${fileId}.${extensions[mediaType]}` }
}
