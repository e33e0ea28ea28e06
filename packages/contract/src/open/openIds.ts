import { Type } from 'typebox'

/** Maximum number of distinct recipients of a message. */
export const mostRecipients = 500

/**
 * `openIds`: a list of strings, joined with commas on the wire (open-api §4.1). The pattern refuses lists in other
 * notations, such as JSON, whose items would be unknown openIds.
 */
export const OpenIds = Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w-]+$' }), {
  minItems: 1,
  // Higher than the number of recipients, because duplicates are allowed.
  maxItems: 5_000,
  description: 'openIds from the user info operation; at most 500 distinct ones.',
  'x-allowed':
    'must be 1 to 500 openIds joined with commas, such as a1b2,c3d4: not a JSON list, with no spaces, quotes or empty items',
})
