import { fileOpenOperations } from './files.ts'
import { messageOpenOperations } from './messages.ts'
import { oauthOpenOperations } from './oauth.ts'
import { refundOpenOperations } from './refunds.ts'
import { tradeOpenOperations } from './trades.ts'

/** The operations of the open API, in the document’s order. */
export const openOperations = {
  ...oauthOpenOperations,
  ...tradeOpenOperations,
  ...refundOpenOperations,
  ...messageOpenOperations,
  ...fileOpenOperations,
}
