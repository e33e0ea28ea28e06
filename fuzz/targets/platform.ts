import { FilterSyntaxError, formatFilter, maxFilterConditions, parseFilter } from '@souk/contract'
import { textOf } from '../grammar/text.ts'
import { functionTarget, Violation } from '../target.ts'

const filters = textOf({
  samples: [
    'status=1,amount>=1250,title~"a, b",note!=null',
    'time>1700000000000 , time <= 1800000000000',
    'a="\\u00e9\\n"',
  ],
  tokens: [
    'a',
    'status',
    '=',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    '~',
    ',',
    '"',
    '\\',
    '\\u',
    ' ',
    '\t',
    'null',
    '1',
    'é',
    '_',
  ],
})

/** Filters of the platform data API. */
export const filter = functionTarget({
  name: 'platform/filter',
  surface: 'platform',
  weight: 1,
  inputs: filters,
  check(text) {
    const conditions = parsed(text)
    if (!conditions) return
    if (conditions.length > maxFilterConditions) throw new Violation('limit', 'The filter has too many conditions')
    if (JSON.stringify(parsed(formatFilter(conditions))) !== JSON.stringify(conditions)) {
      throw new Violation('round trip', 'The filter changes when it is formatted and parsed again')
    }
  },
})

function parsed(text: string) {
  try {
    return parseFilter(text)
  } catch (error) {
    if (error instanceof FilterSyntaxError) return undefined
    throw error
  }
}
