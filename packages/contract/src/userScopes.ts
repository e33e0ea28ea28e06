import { Type } from 'typebox'
import { Text } from './schemas.ts'

const Title = Text(100, { description: 'What the scope reveals, as users read it.' })

/** What users read about a scope in each language of the host application. */
export const ScopeTitles = Type.Object(
  { en: Title, 'zh-Hans': Title, ar: Title },
  { additionalProperties: false, 'x-allowed': 'must be an object with a text for each of en, zh-Hans, ar' },
)

const ScopeField = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
      description: 'Name in `attributes` of the user profile.',
    }),
    claim: Text(128, { description: 'Name of the claim of the identity provider that has its value.' }),
  },
  { additionalProperties: false },
)

const maxFields = 20
export const ScopeFields = Type.Array(ScopeField, {
  minItems: 1,
  maxItems: maxFields,
  'x-allowed': `must be a list of 1 to ${maxFields} objects with name (letters, digits and _, beginning with a letter, at most 64) and claim`,
})
