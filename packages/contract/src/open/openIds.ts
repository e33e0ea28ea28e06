import { Type } from 'typebox'

/** The most users that one message can go to; the same openId given again counts once. */
export const mostRecipients = 500

/** `openIds`: List of String, items joined with a comma on the wire (open API §4.1). */
export const OpenIds = Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^\\S+$' }), {
  minItems: 1,
  // More than recipients, since a sender may name one more than once.
  maxItems: 5_000,
  description: 'Users’ openIds from the user info operation; at most 500 different ones.',
  'x-allowed': 'must be 1 to 500 openIds joined with commas, with no spaces and no empty items',
})
