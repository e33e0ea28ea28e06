import type { MiniApp } from './context.ts'
import { activity } from './sections/activities.ts'
import { notification } from './sections/notifications.ts'
import { refundParameters, requestRefund } from './sections/refunds.ts'
import { type OperationName, operations, type Parameters, type RawRequest, requestOf } from './wire.ts'

/** A PNG of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Returns the parameters of a valid request of each operation. */
export const validParameters: Record<OperationName, (app: MiniApp) => Promise<Parameters>> = {
  accessToken: async (app) => ({
    code: await app.context.sandbox.createCode(app.appid, app.user.uid, 'user.info'),
    grantType: 'authorization_code',
    scope: 'user.info',
  }),
  userInfo: async (app) => ({ accessToken: (await app.login(app.user.uid)).accessToken }),
  trade: async (app) => app.tradeParameters(),
  tradedetail: async (app) => ({ tradeNo: await app.createTrade() }),
  tradeclose: async (app) => ({ tradeNo: await app.createTrade() }),
  refund: refundParameters,
  refunddetail: async (app) => ({ refundNo: (await requestRefund(app)).refundNo }),
  sendNotify: async (app) => notification(app),
  sendActivity: async (app) => activity(app),
  fileUpload: async () => ({}),
}

export const operationNames = Object.keys(operations) as OperationName[]

/** The operations that accept a form, reads also. */
export const formOperations = operationNames.filter((name) => name !== 'fileUpload')

/** Returns a valid request, signed now. */
export async function validRequest(app: MiniApp, name: OperationName): Promise<RawRequest> {
  const request = requestOf(name, app.sign(await validParameters[name](app)))
  if (name === 'fileUpload')
    (request.body as FormData).append('fileData', new Blob([png], { type: 'image/png' }), 'i.png')
  return request
}
