import { Type } from 'typebox'

/** Maximum number of distinct recipients of a message. */
export const mostRecipients = 500

/** `openIds`: a list of strings, joined with commas on the wire (open-api §4.1). */
export const OpenIds = Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\s=]+$' }), {
  minItems: 1,
  // Higher than the number of recipients, because duplicates are allowed.
  maxItems: 5_000,
  description: 'openIds from the user info operation; at most 500 distinct ones.',
  'x-allowed': 'must be 1 to 500 openIds joined with commas, with no spaces, no = and no empty items',
})
