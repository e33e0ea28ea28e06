// Generated from the table of functions by `npm run generate`.
import type { kindByForm } from './kindByForm.ts'

export const kindsOfMissing: Readonly<Record<string, ReturnType<typeof kindByForm>>> = {
  getTopWindowStyle: 'sync',
  getLeftWindowStyle: 'sync',
  getRightWindowStyle: 'sync',
  getPerformance: 'object',
  createPushMessage: 'async',
  getFacialRecognitionMetaInfo: 'sync',
  requirePrivacyAuthorize: 'async',
  createBLEConnection: 'async',
  createBLEPeripheralServer: 'async',
}
