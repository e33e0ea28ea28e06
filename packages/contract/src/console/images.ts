import { Type } from 'typebox'
import { maxFileSize } from '../open/files.ts'
import { operation } from '../operation.ts'
import { Appid, Hex32 } from '../schemas.ts'

/** Maximum length of `maxFileSize` bytes in base64. */
const maxContent = 4 * Math.ceil(maxFileSize / 3)

/** Images of a mini app: its icon, and screenshots for reviewers. */
export const imageOperations = {
  uploadImage: operation({
    surface: 'console',
    auth: 'console',
    id: 'uploadImage',
    method: 'POST',
    path: '/console/v1/apps/{appid}/images',
    summary: 'Upload an image for use as icon, logo of the merchant or screenshot; everyone who has its URL can see it',
    access: { action: 'release.upload', by: 'appid' },
    body: ['json'],
    maxBody: maxContent + 1024,
    parameters: Type.Object({
      appid: Appid,
      content: Type.String({
        maxLength: maxContent,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        description: 'A PNG, JPEG, GIF or WebP of at most 2 MiB, in base64.',
        'x-allowed': `must be the base64 of an image of at most ${maxFileSize} bytes`,
      }),
    }),
    example: {
      content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    result: Type.Object({
      fileId: Hex32(),
      url: Type.String({ description: 'URL of the image, usable as iconUrl.' }),
    }),
    errors: ['file_unsupported', 'storage_unavailable'],
    redact: [],
  }),
}
