import { type Static, type TSchema, Type } from 'typebox'
import { DomainTime, Hex32, Long, languages, Nullable, Text } from '../schemas.ts'
import { currencies } from '../trade.ts'

/** Common properties of all console operations. */
export const console = { surface: 'console', auth: 'console' } as const

/** Maximum number of rows that the total of a list counts. */
export const maxTotal = 10_000

/** Number of rows of all pages of a list, and sums of their amounts. */
const PageTotal = Type.Object({
  count: Type.Integer({ description: `Number of rows, at most ${maxTotal}.` }),
  isCapped: Type.Boolean({ description: 'Whether there are more rows than `count`.' }),
  amounts: Type.Optional(
    Type.Array(Type.Object({ currency: Type.Enum([...currencies]), amount: Type.Integer({ description: 'cents' }) }), {
      maxItems: currencies.length,
      description: 'Amounts paid (list of trades) or refunded (list of refunds). Absent if `isCapped`.',
    }),
  ),
})
export type PageTotal = Static<typeof PageTotal>

/** A page of a list. Pass `next` as `cursor` to get the following page; null on the last page. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    next: Nullable(Type.String({ description: 'Cursor of the next page.' })),
    total: Type.Optional(PageTotal),
  })

/** Maximum number of rows of a list without pages. */
export const maxListed = 1_000

/** A list without pages, which ends after `maxListed` rows. */
export const Listed = <T extends TSchema>(item: T) =>
  Type.Array(item, { maxItems: maxListed, description: `At most ${maxListed}.` })

/** Parameters of every paged list. */
export const paging = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 512,
      description: '`next` of the previous page.',
      'x-allowed': 'must be `next` of a previous page',
    }),
  ),
  limit: Type.Optional(Long({ minimum: 1, maximum: 200, default: 50, 'x-allowed': 'must be a number from 1 to 200' })),
  total: Type.Optional(
    Type.Boolean({ description: 'Whether to count the rows of all pages.', 'x-allowed': 'must be true or false' }),
  ),
}

/** Number of newest rows of a list, under its other filters, that a search for a part of a text reads (ADR 325). */
export const searchedRows = 20_000

/** Parameter of lists that are searched for a part of a text. `fields` says of what. */
export const SearchText = (fields: string) =>
  Type.Optional(Text(64, { description: `Any part of ${fields}, among the newest ${searchedRows} rows.` }))

/** Parameter of lists that can be sorted: a column, descending with a minus sign. The first one is the default. */
export const Sort = <const S extends string[]>(sorts: readonly [...S], note?: string) =>
  Type.Optional(
    Type.Enum(sorts, {
      description: `Column to sort by, with - in descending order; ${sorts[0]} by default.${note ? ` ${note}` : ''}`,
      'x-allowed': `must be one of ${sorts.join(', ')}`,
    }),
  )

const time = {
  maximum: Date.UTC(9999, 0),
  'x-allowed': `must be a Unix time in milliseconds, at most ${Date.UTC(9999, 0)} (the year 9999)`,
}
const rangeOf = (clock: 'real' | 'domain') => ({
  from: Type.Optional(Long({ description: 'Start, inclusive, ms.', ...time, 'x-clock': clock })),
  to: Type.Optional(Long({ description: 'End, exclusive, ms.', ...time, 'x-clock': clock })),
})
/** A half-open time range [from, to), ms, of the domain clock. */
export const timeRange = rangeOf('domain')
/** The same of real time, for logs. */
export const realTimeRange = rangeOf('real')

export const ProjectId = Hex32({ description: 'The project.' })
export const AccountId = Hex32({ description: 'The account.' })
export const Name = (description: string) => Text(64, { description })
export const WebUrl = Text(1024, {
  pattern: '^https?://[^\\s]+$',
  'x-allowed': 'must be an absolute http or https URL',
})
export const MessageLanguage = Type.Enum([...languages], { 'x-allowed': `must be one of ${languages.join(', ')}` })
export const Flag = (description: string) => Type.Boolean({ description, 'x-allowed': 'must be true or false' })
/** A client at an OpenID provider. */
export const ClientParameters = {
  clientId: Text(255, { description: 'Client id at the provider.' }),
  clientSecret: Type.Optional(Text(1024, { description: 'Client secret; absent for a public client.' })),
  scopes: Type.Optional(
    Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,128}$' }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Scopes in addition to openid; profile and email by default.',
      'x-allowed': 'must be a list of at most 20 scopes',
    }),
  ),
}
/** Time of the next probe of a paused receiver of callbacks or events. */
export const PausedUntil = (receiver: string) =>
  Nullable(DomainTime(`ms. Set while ${receiver} does not respond: when it gets the next attempt as a probe.`))
export const Uid = Long({ minimum: 1, description: 'Host user id.', 'x-allowed': 'must be a user id' })
