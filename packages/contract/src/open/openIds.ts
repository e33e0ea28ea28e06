import { Type } from 'typebox'

/** `openIds`: List of String, items joined with a comma on the wire (open API §4.1). */
export const OpenIds = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 500,
  description: 'Users’ openIds from the user info operation; at most 500.',
  'x-allowed': 'must be 1 to 500 openIds joined with commas',
})
