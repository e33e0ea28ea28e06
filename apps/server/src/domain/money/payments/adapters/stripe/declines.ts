import { type Declines, wallets } from '../declines.ts'

/** Stripe rejected the order. */
export const refused = 26
/** Any other decline. */
export const declined = 27

/**
 * Error codes of Stripe with a specific failReasonType for wallets.
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
