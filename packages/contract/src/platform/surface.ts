import { type TSchema, Type } from 'typebox'
import { Long, Nullable, Text } from '../schemas.ts'

/** What all operations of the platform data API share (open API §4.2, §5.1). */
export const platform = { surface: 'platform', auth: 'apiKey', section: '4.2' } as const

/** One page of a list. `next` goes into `cursor` for the page after it; null on the last one. */
export const PlatformPage = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: Nullable(Type.String({ description: 'The cursor of the next page.' })) })

/** The two parameters of every list that comes in pages. */
export const platformPaging = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: '`next` of the page before.',
      'x-allowed': 'must be next of a page before',
    }),
  ),
  limit: Type.Optional(
    Long({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'How many at most; 100 unless told.',
      'x-allowed': 'must be a number from 1 to 1000',
    }),
  ),
}

/** The datasets that the platform fills in each project, by name. */
export const builtInDatasets = ['trades', 'callbacks', 'users', 'notifications', 'activities'] as const
export type BuiltInDataset = (typeof builtInDatasets)[number]

/** 32 hexadecimal digits, or the project and the name of a built-in one. */
export const DatasetId = Text(64, {
  pattern: '^[0-9a-f]{32}(\\.[a-z]{1,31})?$',
  description: `The dataset: 32 hexadecimal digits, or \`<projectId>.<name>\` with ${builtInDatasets.join(', ')}.`,
  'x-allowed': 'must be 32 lowercase hexadecimal digits, or a projectId, a dot and the name of a built-in dataset',
})

/** How a dataset, and a field of one, may be named. */
export const namePattern = '^[A-Za-z][A-Za-z0-9_]{0,62}$'
