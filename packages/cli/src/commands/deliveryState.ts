import { type EventDeliveryState, eventDeliveryStates } from '@souk/contract'
import { Option } from 'commander'
import type { Style } from '../render.ts'

/** What the console calls the states of callbacks and events. */
const words = { pending: 'pending', delivered: 'delivered', dead: 'failed' } as const
const colors = { pending: 'yellow', delivered: 'green', dead: 'red' } as const

export const deliveryState = (state: EventDeliveryState, style: Style): string => style(colors[state], words[state])

/** The option `--state`, which also takes the word of the API, as in the output of `--json`. */
export function deliveryStateOption(): Option {
  const option = new Option('--state <state>', 'only these').choices(Object.values(words))
  const check = option.parseArg!
  return option.argParser((value: string, previous: unknown) => {
    const state = eventDeliveryStates.find((each) => value === each || value === words[each])
    return state ?? check(value, previous)
  })
}
