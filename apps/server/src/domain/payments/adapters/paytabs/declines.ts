import type { Declines } from '../declines.ts'

/** PayTabs refused to open a page, and every decline that the table does not know. */
export const declined = 5

/**
 * Response codes of PayTabs that the document has a word of its own for.
 * https://support.paytabs.com/en/support/solutions/articles/60000711358
 */
export const declines: Declines = {
  // 3-D Secure: a wrong password, or the payer has refused.
  310: 6,
}
