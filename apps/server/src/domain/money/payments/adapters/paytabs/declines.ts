import type { Declines } from '../declines.ts'

/** PayTabs rejected the order, and any decline that is not in the table. */
export const declined = 5

/**
 * Response codes of PayTabs with a specific failReasonType.
 * https://support.paytabs.com/en/support/solutions/articles/60000711358
 */
export const declines: Declines = {
  // 3-D Secure failed or was declined by the payer.
  310: 6,
}
