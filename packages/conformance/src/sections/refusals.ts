import { type Check, topic } from '../check.ts'
import { expectError } from '../expect.ts'
import { validParameters } from '../requests.ts'
import { day, minute } from '../time.ts'
import type { OperationName, Value } from '../wire.ts'

const check = topic('refusal')

/** Numbers outside of the limits of a parameter, and what the refusal says about the limits. */
interface Edge {
  operation: OperationName
  parameter: string
  values: () => Value[]
  limits: readonly string[]
}

const edges: Edge[] = [
  {
    operation: 'trade',
    parameter: 'amount',
    values: () => [0, -1, 100_000_000_000],
    limits: ['from 1 to 99999999999'],
  },
  {
    operation: 'trade',
    parameter: 'timeExpire',
    values: () => [0, Date.now() - minute, Date.now() + 8 * day, Math.floor(Date.now() / 1000)],
    limits: ['1 minute', '7 days'],
  },
  {
    operation: 'refund',
    parameter: 'amount',
    values: () => [0, -1, 100_000_000_000],
    limits: ['from 1 to 99999999999'],
  },
  { operation: 'sendNotify', parameter: 'notifyType', values: () => [0, 2], limits: ['must be 1 '] },
  { operation: 'sendNotify', parameter: 'navigateType', values: () => [0, 3], limits: ['must be 1 ', ' or 2 '] },
  { operation: 'sendActivity', parameter: 'status', values: () => [-1, 2], limits: ['must be 1 ', ' or 0 '] },
  {
    operation: 'sendActivity',
    parameter: 'validityTime',
    values: () => [0, -1, 31_536_001],
    limits: ['from 1 to 31536000'],
  },
]

/** Errors that say what is allowed: lists in other notations, and numbers at their limits (open-api §4.3). */
export const refusals: Check[] = [
  ...edges.map(({ operation, parameter, values, limits }) =>
    check(`${operation}-${parameter}`, '4.3', `${operation} says the limits of ${parameter}`, async (context) => {
      const app = await context.app()
      for (const value of [...values(), '1e3', '0x1', '01', '9'.repeat(30)]) {
        const reply = await app.call(operation, { ...(await validParameters[operation](app)), [parameter]: value })
        for (const message of [parameter, ...limits]) {
          expectError(reply, { status: 400, code: 'parameter_invalid', message })
        }
      }
    }),
  ),
  ...(['sendNotify', 'sendActivity'] as const).map((name) =>
    check(`other-lists-${name}`, '4.1', `${name} explains that openIds is not a JSON list`, async (context) => {
      const app = await context.app()
      const { openId } = app.user
      const other = 'f'.repeat(32)
      const notations = [
        JSON.stringify([openId, other]),
        JSON.stringify([openId]),
        `["${openId}", "${other}"]`,
        `['${openId}', '${other}']`,
        `[${openId}, ${other}]`,
        `{${openId},${other}}`,
        `"${openId}"`,
        `${openId};${other}`,
        `${openId}|${other}`,
      ]
      for (const openIds of notations) {
        const reply = await app.call(name, { ...(await validParameters[name](app)), openIds })
        expectError(reply, { status: 400, code: 'parameter_invalid', message: 'openIds joined with commas' })
      }
    }),
  ),
]
