import { type TSchema, Type } from 'typebox'
import { Hex32, Long, languages, Nullable, Text } from '../schemas.ts'

/** What all operations of the console surface share. */
export const console = { surface: 'console', auth: 'console' } as const

/** One page of a list. `next` goes into `cursor` for the page after it; null on the last one. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: Nullable(Type.String({ description: 'The cursor of the next page.' })) })

/** The two parameters of every list that comes in pages. */
export const paging = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 512,
      description: '`next` of the page before.',
      'x-allowed': 'must be next of a page before',
    }),
  ),
  limit: Type.Optional(Long({ minimum: 1, maximum: 200, default: 50, 'x-allowed': 'must be a number from 1 to 200' })),
}

const time = { 'x-allowed': 'must be a Unix time in milliseconds' }
/** A range of time, ms: from its beginning up to, but not including, its end. */
export const timeRange = {
  from: Type.Optional(Long({ description: 'Not before this, ms.', ...time })),
  to: Type.Optional(Long({ description: 'Before this, ms.', ...time })),
}

export const ProjectId = Hex32({ description: 'The project.' })
export const AccountId = Hex32({ description: 'The account.' })
export const Name = (description: string) => Text(64, { description })
export const WebAddress = Text(1024, {
  pattern: '^https?://[^\\s]+$',
  'x-allowed': 'must be an absolute http or https address',
})
export const MessageLanguage = Type.Enum([...languages], { 'x-allowed': `must be one of ${languages.join(', ')}` })
export const Flag = (description: string) => Type.Boolean({ description, 'x-allowed': 'must be true or false' })
/** A time in an answer, ms. */
export const Time = Type.Integer({ description: 'ms' })
export const Uid = Long({ minimum: 1, description: 'Host user id.', 'x-allowed': 'must be a user id' })
