// Generated from the table of functions by `npm run generate`.
import type { kindByForm } from './kindByForm.ts'

export const kindsOfMissing: Readonly<Record<string, ReturnType<typeof kindByForm>>> = {
  getPerformance: 'object',
  createPushMessage: 'async',
  getFacialRecognitionMetaInfo: 'sync',
  requirePrivacyAuthorize: 'async',
  createBLEConnection: 'async',
  createBLEPeripheralServer: 'async',
}
