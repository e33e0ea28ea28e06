import { hour, minute, second } from '@souk/contract'
import type { Jobs } from '../jobs.ts'
import { disableFailingReceivers, runReplay } from './callbacks/index.ts'
import { addUpLedger, compareDay, reconcileDays, returnMoney, returnOwedMoney } from './ledger/index.ts'
import { queryPendingAttempts, shadowPayment } from './payments/index.ts'
import { addUpTrades, expireTrades } from './trades/index.ts'

export const moneyJobs: Jobs = {
  recurring: {
    expireTrades: [expireTrades, 10 * second],
    queryPendingAttempts: [queryPendingAttempts, 15 * second],
    returnOwedMoney: [returnOwedMoney, hour],
    reconcileDays: [reconcileDays, 15 * minute],
    addUpLedger: [addUpLedger, 10 * second],
    addUpTrades: [addUpTrades, 10 * second],
    disableFailingReceivers: [disableFailingReceivers, 10 * minute],
  },
  queued: {
    returnMoney: (context, { appid, tradeNo, refundNo }) =>
      returnMoney(context, { appid: String(appid), tradeNo: String(tradeNo), refundNo: String(refundNo) }),
    shadowPayment: (context, { appid, tradeNo, attemptId, providerAccountId }) =>
      shadowPayment(context, {
        appid: String(appid),
        tradeNo: String(tradeNo),
        attemptId: String(attemptId),
        providerAccountId: String(providerAccountId),
      }),
    compareDay: (context, { reconciliationId }) => compareDay(context, String(reconciliationId)),
    replayCallbacks: (context, { replayId }) => runReplay(context, String(replayId)),
    // Of processes of the previous version; the dispatcher delivers what is due.
    deliverCallback: async () => {},
  },
}
