import { Type } from 'typebox'
import { inspectionEnds, inspectionsLimits } from '../inspections.ts'
import { operation } from '../operation.ts'
import { Appid, Hex32, Long, Nullable, RealTime, Text } from '../schemas.ts'
import { minute } from '../time.ts'
import { console } from './surface.ts'

const { codeLifetime, idle, message, messagesPerMinute, perProject } = inspectionsLimits
const access = { action: 'app.inspect', by: 'appid' } as const
const minutes = (time: number) => `${time / minute} minutes`

const ofInspection = { appid: Appid, inspectionId: Hex32({ description: 'The inspection.' }) }

/** A message to the other side. The server passes it on without reading it. */
export const Message = Text(message, { description: 'JSON, see packages/contract/src/inspection.ts.' })
/** Parameter of a stream. */
export const After = Type.Optional(
  Long({
    description: 'messageId of the last message that was received; only newer ones are sent.',
    'x-allowed': 'must be a messageId',
  }),
)

/** Events of an inspection stream. */
export const InspectionStream = Type.Object({
  event: Type.Enum(['state', 'message', 'ended'], {
    description: 'state: sent first, and whenever it changes. ended: no reconnection will succeed.',
  }),
  data: Type.Union([
    Type.Object({
      paired: Type.Boolean({ description: 'Whether a phone has accepted.' }),
      connected: Type.Boolean({ description: 'Whether the other side is connected.' }),
      joined: Nullable(RealTime('When the other side last connected without earlier messages, ms.')),
      after: Type.Integer({
        description:
          'messageId of the last message before this event. A connection without `after` gets new ones only.',
      }),
    }),
    Type.Object({ messageId: Type.Integer(), message: Type.String() }),
    Type.Object({ reason: Type.Enum([...inspectionEnds]) }),
  ]),
})

/** Inspections of mini apps on phones, for the developer who started them (ADR 331). */
export const inspectionOperations = {
  createInspection: operation({
    ...console,
    id: 'createInspection',
    method: 'POST',
    path: '/console/v1/apps/{appid}/inspections',
    summary: 'Create a code with which one phone, whose user consents, lets the caller inspect a mini app',
    access,
    body: ['json'],
    parameters: Type.Object({ appid: Appid }),
    result: Type.Object({
      inspectionId: Hex32(),
      code: Type.String({ description: `For one use within ${minutes(codeLifetime)}, in a link to the host.` }),
      validUntil: RealTime(),
    }),
    errors: ['inspection_limit_reached'],
    redact: ['code'],
  }),
  watchInspection: operation({
    ...console,
    id: 'watchInspection',
    method: 'GET',
    path: '/console/v1/apps/{appid}/inspections/{inspectionId}/messages',
    summary: `Stream what the phone reports; the inspection ends after ${minutes(idle)} without a message`,
    access,
    stream: true,
    parameters: Type.Object({ ...ofInspection, after: After }),
    result: InspectionStream,
    errors: [],
    redact: ['data'],
  }),
  sendToInspected: operation({
    ...console,
    id: 'sendToInspected',
    method: 'POST',
    path: '/console/v1/apps/{appid}/inspections/{inspectionId}/messages',
    summary: `Send a command to the phone; at most ${messagesPerMinute} messages a minute`,
    access,
    unaudited: 'Its content belongs to the user of the phone, who has consented.',
    body: ['json'],
    maxBody: inspectionsLimits.body,
    parameters: Type.Object({ ...ofInspection, message: Message }),
    example: { message: '{"type":"clearStorage"}' },
    result: Type.Boolean(),
    errors: ['inspection_not_found', 'rate_limited'],
    redact: ['message'],
  }),
  endInspection: operation({
    ...console,
    id: 'endInspection',
    method: 'DELETE',
    path: '/console/v1/apps/{appid}/inspections/{inspectionId}',
    summary: `End an inspection; a project can have ${perProject} at a time`,
    access,
    parameters: Type.Object(ofInspection),
    result: Type.Boolean(),
    errors: ['inspection_not_found'],
    redact: [],
  }),
}
