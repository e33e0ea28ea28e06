import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { signed } from '../schemas.ts'

/** Maximum size of an uploaded file in bytes. */
export const maxFileSize = 2 * 1024 * 1024

/** Images that mini apps upload. */
export const fileOpenOperations = {
  /**
   * Uploads an image for use as `iconUrl`. open-api §4.1 describes file uploads without naming an operation; this one
   * is an addition of Souk. The part `fileData` is neither signed nor encrypted.
   */
  fileUpload: operation({
    id: 'fileUpload',
    surface: 'open',
    method: 'POST',
    path: '/neuopenapi/file/upload',
    summary: 'Upload file',
    section: '4.1',
    auth: 'sign',
    capability: 'file',
    body: ['multipart'],
    file: true,
    retry: 'idempotent',
    clientTypes: { result: { name: 'UploadedFile', description: 'An uploaded image (open-api §4.1).' } },
    parameters: Type.Object({ ...signed }),
    result: Type.Object({ url: Type.String({ description: 'URL of the image, usable as iconUrl.' }) }),
    errors: ['file_missing', 'file_unsupported', 'file_too_large', 'storage_unavailable'],
    redact: ['sign'],
  }),
}
