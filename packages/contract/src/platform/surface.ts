import { type TSchema, Type } from 'typebox'
import { Long, Nullable, Text } from '../schemas.ts'

/** Common properties of all platform data API operations (open-api §4.2, open-api §5.1). */
export const platform = { surface: 'platform', auth: 'apiKey', section: '4.2' } as const

/** A page of a list. Pass `next` as `cursor` to get the following page; null on the last page. */
export const PlatformPage = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: Nullable(Type.String({ description: 'Cursor of the next page.' })) })

/** Parameters of every paged list. */
export const platformPaging = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: '`next` of the previous page.',
      'x-allowed': 'must be `next` of a previous page',
    }),
  ),
  limit: Type.Optional(
    Long({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Maximum number of items; 100 by default.',
      'x-allowed': 'must be a number from 1 to 1000',
    }),
  ),
}

/** Names of the built-in datasets of each project. */
export const builtInDatasets = ['trades', 'callbacks', 'users', 'notifications', 'activities', 'events'] as const
export type BuiltInDataset = (typeof builtInDatasets)[number]

/** A dataset id: 32 hexadecimal digits, or project id and name of a built-in dataset. */
export const DatasetId = Text(64, {
  pattern: '^[0-9a-f]{32}(\\.[a-z]{1,31})?$',
  description: `The dataset: 32 hexadecimal digits, or \`<projectId>.<name>\` with ${builtInDatasets.join(', ')}.`,
  'x-allowed': 'must be 32 lowercase hexadecimal digits, or a projectId, a dot and the name of a built-in dataset',
})

/** Pattern of dataset and field names. */
export const namePattern = '^[A-Za-z][A-Za-z0-9_]{0,62}$'
