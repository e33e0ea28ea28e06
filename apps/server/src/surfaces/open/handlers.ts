import type { openOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { AppCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { sendActivity, sendNotify, uploadFile } from '../../domain/miniApps/index.ts'
import { closeTrade, createTrade, tradeDetail } from '../../domain/money/index.ts'
import { authenticateToken, exchangeCode, readUserInfo } from '../../domain/users/index.ts'

type OpenOperations = typeof openOperations
type SignedOperations = Omit<OpenOperations, 'userInfo' | 'fileUpload'>

/** The verbs of signed operations. Does not compile if one is missing. */
export const signedHandlers: {
  [Id in keyof SignedOperations]: (
    context: Context,
    caller: AppCaller,
    input: ParametersOf<SignedOperations[Id]>,
  ) => Promise<ResultOf<SignedOperations[Id]>>
} = {
  accessToken: exchangeCode,
  trade: createTrade,
  tradedetail: tradeDetail,
  tradeclose: closeTrade,
  sendNotify,
  sendActivity,
}

export { authenticateToken, readUserInfo, uploadFile }
