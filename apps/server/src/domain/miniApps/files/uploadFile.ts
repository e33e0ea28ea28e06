import { createHash } from 'node:crypto'
import {
  type consoleOperations,
  imageExtensions,
  imageType,
  maxFileSize,
  type openOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { AppCaller, ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit, storeObject, storesObjects, useObject } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { claimSign } from '../usedSigns.ts'
import { insertFile } from './store.ts'

type FileUpload = typeof openOperations.fileUpload
type ImageUpload = typeof consoleOperations.uploadImage

/**
 * Stores an image of the caller and returns its public URL. The same content of the same mini app has the same URL, so
 * that a repeated upload changes nothing.
 *
 * The file is not signed, so a sign stores one file only (ADR 282).
 *
 * @throws SoukError `file_too_large`, `file_unsupported`, `sign_reused`, `storage_unavailable`
 */
export async function uploadFile(
  context: Context<'objects' | 'storage'>,
  caller: AppCaller,
  { content }: { content: Buffer },
): Promise<ResultOf<FileUpload>> {
  const { url } = await storeImage(context, { appid: caller.app.appid, content }, (tx, fileId) =>
    claimSign(context, tx, caller, fileId),
  )
  return { url }
}

/**
 * Stores an image of a mini app for a member of its project.
 * @throws SoukError `file_too_large`, `file_unsupported`, `app_not_found`, `storage_unavailable`
 */
export async function uploadImage(
  context: Context<'objects' | 'storage'>,
  caller: ConsoleCaller,
  { appid, content }: ParametersOf<ImageUpload>,
): Promise<ResultOf<ImageUpload>> {
  return storeImage(context, { appid, content: Buffer.from(content, 'base64') }, async (tx, fileId) => {
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
    await audit(context, tx, caller, { action: 'app.uploadImage', subject: appid, projectId, detail: { fileId } })
    return true
  })
}

/** Stores an image if `admit`, which runs in the same transaction, returns true. */
async function storeImage(
  context: Context<'objects' | 'storage'>,
  { appid, content }: { appid: string; content: Buffer },
  admit: (tx: Tx, fileId: string) => Promise<boolean>,
): Promise<ResultOf<ImageUpload>> {
  if (content.length > maxFileSize) {
    throw new SoukError('file_too_large', `An image can have at most ${maxFileSize} bytes.`)
  }
  const mediaType = imageType(content)
  if (!mediaType) {
    throw new SoukError('file_unsupported', 'Send PNG, JPEG, GIF or WebP; the content determines the type.')
  }
  const fileId = createHash('sha256').update(appid).update(content).digest('hex').slice(0, 32)
  const object = storesObjects(context) ? await storeObject(context, content) : null
  await context.sql.begin(async (tx) => {
    if (!(await admit(tx, fileId))) return
    if (object !== null) await useObject(context, tx, object)
    const stored = object === null ? { content, object } : { content: null, object }
    await insertFile(tx, { fileId, appid, mediaType, ...stored, ctime: context.clock.now() })
  })
  return { fileId, url: `${context.settings.publicUrl}/files/${fileId}.${imageExtensions[mediaType]}` }
}
