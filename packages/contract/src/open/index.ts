import { accessToken } from './accessToken.ts'
import { fileUpload } from './fileUpload.ts'
import { sendActivity } from './sendActivity.ts'
import { sendNotify } from './sendNotify.ts'
import { trade } from './trade.ts'
import { tradeclose } from './tradeclose.ts'
import { tradedetail } from './tradedetail.ts'
import { userInfo } from './userInfo.ts'

/** The operations of the open API, in the document’s order. */
export const openOperations = {
  accessToken,
  userInfo,
  trade,
  tradedetail,
  tradeclose,
  sendNotify,
  sendActivity,
  fileUpload,
}
