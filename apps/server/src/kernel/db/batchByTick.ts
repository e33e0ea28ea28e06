import type { Sql } from './pool.ts'

/**
 * Makes a look at the database that those share who want it in the same turn of the event loop: one statement for many
 * requests costs little more than for one. Each still looks anew, in a statement that begins after it has asked.
 *
 * `look` answers all that was asked, in the same order; where it rejects, all of them do.
 */
export function together<Asked, Answer>(
  look: (sql: Sql, asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (sql: Sql, asked: Asked) => Promise<Answer> {
  const gathering = new WeakMap<Sql, { asked: Asked; answer: PromiseWithResolvers<Answer> }[]>()
  return (sql, asked) => {
    const answer = Promise.withResolvers<Answer>()
    const others = gathering.get(sql)
    if (others) others.push({ asked, answer })
    else {
      const begun = [{ asked, answer }]
      gathering.set(sql, begun)
      setImmediate(async () => {
        gathering.delete(sql)
        try {
          const answers = await look(
            sql,
            begun.map((it) => it.asked),
          )
          for (const [index, it] of begun.entries()) it.answer.resolve(answers[index]!)
        } catch (error) {
          for (const it of begun) it.answer.reject(error)
        }
      })
    }
    return answer.promise
  }
}
