import { type Declines, wallets } from '../declines.ts'

/** Checkout.com refused to open a page. */
export const refused = 25
/** Every decline that the table does not know. */
export const declined = 24

/**
 * Response codes of Checkout.com that say more than "declined". Its wallets' tokens are made on its own page, so 3 (a network
 * error while a token is made) does not come from here.
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
