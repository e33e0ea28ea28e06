import { type Declines, wallets } from '../declines.ts'

/** Checkout.com rejected the order. */
export const refused = 25
/** Any other decline. */
export const declined = 24

/**
 * Response codes of Checkout.com with a specific failReasonType. It creates wallet tokens on its own page, so 3
 * (network error while creating a token) does not occur.
 * https://www.checkout.com/docs/resources/codes/api-response-codes
 */
export const declines: Declines = {
  // The token is incorrect or invalid.
  20101: wallets(4, 10),
  20114: wallets(4, 10),
  // The wallet's own ID is wrong.
  20102: wallets(2, 10),
  // The payment method is not supported.
  20103: wallets(1, 11),
}
