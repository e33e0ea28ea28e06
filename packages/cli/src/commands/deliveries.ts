import { type consoleOperations, type EventDeliveryState, eventDeliveryStates, type ResultOf } from '@souk/contract'
import { Option } from 'commander'
import { formatDuration } from '../duration.ts'
import { plain, type Style } from '../render.ts'

/** An attempt to deliver an event, or a callback, whose attempts also state how they were made. */
type Attempt = ResultOf<typeof consoleOperations.getEventDelivery>['attempts'][number] & { via?: string }

/** The console's words for the states of callbacks and events. */
const words = { pending: 'pending', delivered: 'delivered', dead: 'failed' } as const
const colors = { pending: 'yellow', delivered: 'green', dead: 'red' } as const

export const deliveryState = (state: EventDeliveryState, style: Style): string => style(colors[state], words[state])

/** The option `--state`, which also takes the word of the API, as in the output of `--json`. */
export function deliveryStateOption(): Option {
  const option = new Option('--state <state>', 'only deliveries in this state').choices(Object.values(words))
  const check = option.parseArg!
  return option.argParser((value: string, previous: unknown) => {
    const state = eventDeliveryStates.find((each) => value === each || value === words[each])
    return state ?? check(value, previous)
  })
}

/** Describes when a message is sent again, to follow its state; empty if it is not. */
export function describeNext(
  { nextAttempt, pausedUntil }: { nextAttempt: number | null; pausedUntil: number | null },
  receiver: 'host' | 'endpoint',
  relative: (time: number) => string,
): string {
  if (pausedUntil) return `, the ${receiver} does not respond: next probe ${relative(pausedUntil)}`
  return nextAttempt === null ? '' : `, next attempt ${relative(nextAttempt)}`
}

export function answerOf({ status, reply, error }: Pick<Attempt, 'status' | 'reply' | 'error'>): string {
  return status === null ? `no response: ${plain(error)}` : `${status} ${plain(reply ?? '')}`.trim()
}

/** Describes an attempt in an indented line. */
export function describeAttempt(attempt: Attempt, style: Style, relative: (time: number) => string): string {
  const mark = attempt.acknowledged ? style('green', '✓') : style('red', '✗')
  const via = attempt.via === 'listen' ? ', via souk listen' : ''
  const when = style('dim', `after ${formatDuration(attempt.duration)}, ${relative(attempt.time)}${via}`)
  return `  ${mark} ${attempt.attempt}. ${answerOf(attempt)} ${when}`
}
