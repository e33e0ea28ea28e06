import { type Declines, wallets } from '../declines.ts'

/** Stripe refused to open a page. */
export const refused = 26
/** Every decline that the table does not know. */
export const declined = 27

/**
 * Error codes of Stripe that say more about a wallet than "declined". Its wallets' tokens are made on its own page.
 * https://docs.stripe.com/error-codes
 */
export const declines: Declines = {
  payment_method_unactivated: wallets(1, 11),
  payment_method_not_available: wallets(1, 11),
  payment_method_unexpected_state: wallets(2, 10),
  payment_method_provider_decline: wallets(2, 10),
  payment_method_provider_timeout: wallets(3, 10),
  token_already_used: wallets(4, 10),
  token_in_use: wallets(4, 10),
}
