import { prefixPattern } from './page.ts'
import type { Part, Sql } from './pool.ts'

/**
 * Selects rows whose `column` begins with a text, in another order. At most `few` of them are all read by the index of
 * the column and sorted. The planner guesses how many there are and where, and reads the whole list if none of them is
 * where it expects them. It still does so for more than `few`, which has no bound but the time limit of statements.
 *
 * @param from the table
 * @param where condition of the list, with which the index of the column begins
 * @param column text with an index of `text_pattern_ops`
 * @param rest further conditions, with `and`
 * @param order of the rows, which another index has
 */
export function beginningWith(
  sql: Sql,
  text: string,
  given: { from: Part; where: Part; column: Part; few: number; rest: Part; order: Part; limit: number },
): Part {
  const { from, where, column, few, rest, order, limit } = given
  const begins = sql`${where} and ${column} like ${prefixPattern(text)}`
  return sql`
    with beginning as materialized (
      select * from ${from} where ${begins} order by ${column} using ~<~ limit ${few + 1}
    )
    (select * from beginning where (select count(*) from beginning) <= ${few} ${rest} ${order} limit ${limit})
    union all
    (select * from ${from} where (select count(*) from beginning) > ${few} and ${begins} ${rest} ${order} limit ${limit})`
}
