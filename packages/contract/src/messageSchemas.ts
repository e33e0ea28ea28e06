import { Type } from 'typebox'
import { messageLevels, notDeliveredReasons } from './messageLevels.ts'

export const MessageLevelSchema = Type.Enum([...messageLevels], {
  description: 'on: with a banner; silent: without one; off: not delivered.',
  'x-allowed': `must be one of ${messageLevels.join(', ')}`,
})

export const NotDeliveredSchema = Type.Object(
  {
    count: Type.Integer({ description: 'Number of distinct openIds whose users do not get the message.' }),
    reasons: Type.Record(Type.String(), Type.Integer(), {
      description: `Their numbers by reason: ${notDeliveredReasons.join(', ')}. Further reasons may be added.`,
    }),
  },
  { description: 'Absent if every recipient gets the message, and in the response to a repeated request.' },
)
