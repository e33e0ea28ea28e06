import type { OperationName } from './operations.ts'

/** The recipients whom a message does not reach (open-api §4.3). */
export interface NotDelivered {
  /** Number of distinct openIds. */
  readonly count: number
  /** Their numbers by reason, such as `off`. Further reasons may be added. */
  readonly reasons: Readonly<Record<string, number>>
  /** `sendNotify` or `sendActivity`. */
  readonly operation: OperationName
}

/** The largest number that every client can hold. */
const largestNumber = 2 ** 31 - 1

/**
 * Returns what the header of a response says about recipients; undefined if there are none. The message has been sent,
 * so malformed fields are left out instead of failing the call. All clients follow the same rule.
 */
export function readNotDelivered(operation: OperationName, value: unknown): NotDelivered | undefined {
  const { count, reasons } = fieldsOf(value)
  const numbers = Object.entries(fieldsOf(reasons)).filter((entry): entry is [string, number] => isNumber(entry[1]))
  const sum = numbers.reduce((total, [, number]) => total + number, 0)
  const total = isNumber(count) ? count : sum
  return total > 0 ? { count: total, reasons: Object.fromEntries(numbers), operation } : undefined
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= largestNumber
