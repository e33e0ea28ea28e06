/**
 * Levels at which a user gets the messages of a mini app: `on` with a banner, `silent` without one, `off` not at all.
 */
export const messageLevels = ['on', 'silent', 'off'] as const
export type MessageLevel = (typeof messageLevels)[number]

/**
 * Why a message does not reach a recipient: the openId is unknown, or its user is not a tester while only testers are
 * reachable, has switched messages of the mini app off, or has received as many as the operator allows in a day.
 */
export const notDeliveredReasons = ['unknown', 'not_tester', 'off', 'daily_limit'] as const

/** Number of recipients by the reason why the message does not reach them. */
export type NotDeliveredReasons = Partial<Record<(typeof notDeliveredReasons)[number], number>>

/** Recipients whom a message does not reach, in the header of a successful response. */
export interface NotDelivered {
  /** Number of distinct openIds. */
  count: number
  /** Their numbers by reason, such as `off`. */
  reasons: Record<string, number>
}

/** Returns what the response says about recipients who are not reached; undefined if there are none. */
export function notDeliveredOf(reasons: NotDeliveredReasons): NotDelivered | undefined {
  const entries = Object.entries(reasons).filter(([, number]) => number > 0)
  if (entries.length === 0) return undefined
  return { count: entries.reduce((sum, [, number]) => sum + number, 0), reasons: Object.fromEntries(entries) }
}
