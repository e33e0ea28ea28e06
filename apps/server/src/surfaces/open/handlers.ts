import type { openOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { AppCaller } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import * as miniApps from '../../domain/miniApps/index.ts'
import * as money from '../../domain/money/index.ts'
import { closeTrade, createTrade, refundDetail, requestRefund, tradeDetail } from '../../domain/money/index.ts'
import * as users from '../../domain/users/index.ts'
import { exchangeCode } from '../../domain/users/index.ts'

/** All operations except `userInfo`, which needs no sign, and `fileUpload`, which takes a file. */
type SignedOperations = Omit<typeof openOperations, 'userInfo' | 'fileUpload'>

type Handlers = {
  [Id in keyof SignedOperations]: (
    context: FullContext,
    caller: AppCaller,
    input: ParametersOf<SignedOperations[Id]>,
  ) => Promise<ResultOf<SignedOperations[Id]>>
}

/** Runs a signed operation. `signedHandlers` declares the inputs by operation; here they can be any. */
export type SignedHandler = (context: FullContext, caller: AppCaller, input: never) => Promise<unknown>

/** The verb of each operation: what a wing exports under the operation's id. Does not compile if one is missing. */
export const signedHandlers: Handlers = {
  ...miniApps,
  ...money,
  ...users,
  accessToken: exchangeCode,
  trade: createTrade,
  tradedetail: tradeDetail,
  tradeclose: closeTrade,
  refund: requestRefund,
  refunddetail: refundDetail,
}
