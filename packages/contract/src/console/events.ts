import { Type } from 'typebox'
import { eventTypeNames, subscribedEventTypes } from '../events.ts'
import { operation } from '../operation.ts'
import { DomainTime, Hex32, Long, Nullable, Text } from '../schemas.ts'
import { day, second } from '../time.ts'
import { console, Flag, Page, PausedUntil, paging, WebUrl } from './surface.ts'

/**
 * States of an endpoint. `failing`: nothing was acknowledged for a day. `failed`: disabled because nothing was
 * acknowledged for five days. `gone`: disabled by a response 410.
 */
export const eventEndpointStates = ['enabled', 'failing', 'failed', 'disabled', 'gone'] as const
export type EventEndpointState = (typeof eventEndpointStates)[number]

/** `dead`: all scheduled attempts failed, or the endpoint was disabled. It can be replayed. */
export const eventDeliveryStates = ['pending', 'delivered', 'dead'] as const
export type EventDeliveryState = (typeof eventDeliveryStates)[number]

/** Maximum number of endpoints of an installation. */
export const maxEventEndpoints = 16
/** Maximum number of deliveries that one call replays. */
export const maxEventReplay = 10_000

const EndpointId = Hex32({ description: 'The endpoint.' })
const DeliveryId = Hex32({ description: 'The delivery of an event to an endpoint.' })
const Types = Type.Array(Type.Enum([...subscribedEventTypes]), {
  minItems: 1,
  uniqueItems: true,
  description: 'Event types that the endpoint gets.',
  'x-allowed': `must be a list of ${subscribedEventTypes.join(', ')}`,
})
const Description = Text(255, { description: 'Description shown in the console.' })
const TypeName = Type.Enum([...eventTypeNames], { 'x-allowed': `must be one of ${eventTypeNames.join(', ')}` })
const Secret = Type.String({ description: 'Signs the events, `whsec_` and base64. Shown only once.' })
const ofEndpoint = Type.Object({ endpointId: EndpointId })
const ofDelivery = Type.Object({ deliveryId: DeliveryId })
const exampleOf = { endpointId: '0123456789abcdef0123456789abcdef' }
const exampleOfDelivery = { deliveryId: '0123456789abcdef0123456789abcdef' }

const EventEndpoint = Type.Object({
  endpointId: EndpointId,
  url: Type.String(),
  description: Nullable(Type.String()),
  types: Type.Array(Type.Enum([...subscribedEventTypes])),
  state: Type.Enum([...eventEndpointStates]),
  failingSince: Nullable(DomainTime('Since when no event was acknowledged although some were sent, ms.')),
  pausedUntil: PausedUntil('the endpoint'),
  pending: Type.Integer({ description: 'Number of events that wait for an attempt, at most 10,000.' }),
  dead: Type.Integer({ description: 'Number of events that can be replayed, at most 10,000.' }),
  overlapUntil: Nullable(DomainTime('End of the overlap in which the previous secret also signs, ms.')),
  ctime: DomainTime(),
})

const EventAttempt = Type.Object({
  attempt: Type.Integer({ description: 'Starts at 1.' }),
  time: DomainTime(),
  duration: Type.Integer({ description: 'ms' }),
  acknowledged: Type.Boolean(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the response; null if there was none.' })),
  reply: Nullable(Type.String({ description: 'Beginning of the response body.' })),
  error: Nullable(Type.String({ description: 'Why there was no response.' })),
})

const deliveryFields = {
  deliveryId: DeliveryId,
  endpointId: EndpointId,
  eventId: Hex32({ description: 'The header webhook-id; the same for all attempts and endpoints.' }),
  type: TypeName,
  state: Type.Enum([...eventDeliveryStates]),
  nextAttempt: Nullable(DomainTime()),
  pausedUntil: PausedUntil('the endpoint'),
  ctime: DomainTime(),
}
const EventDeliveryRow = Type.Object({
  ...deliveryFields,
  attemptCount: Type.Integer(),
  lastAttempt: Nullable(EventAttempt),
})
const EventDelivery = Type.Object({
  ...deliveryFields,
  url: Type.String(),
  payload: Type.Unknown({ description: 'The body: type, timestamp and data.' }),
  attempts: Type.Array(EventAttempt),
})

/** Endpoints of the company's backend. */
const endpointOperations = {
  listEventEndpoints: operation({
    ...console,
    id: 'listEventEndpoints',
    method: 'GET',
    path: '/console/v1/event-endpoints',
    summary: `List endpoints that get events, oldest first, at most ${maxEventEndpoints}`,
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Array(EventEndpoint),
    errors: [],
    redact: [],
  }),
  addEventEndpoint: operation({
    ...console,
    id: 'addEventEndpoint',
    stepUp: 'data',
    method: 'POST',
    path: '/console/v1/event-endpoints',
    summary: 'Add an endpoint that gets events; its secret is shown once',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ url: WebUrl, description: Type.Optional(Description), types: Types }),
    example: { url: 'https://backend.example/souk', types: ['notification.created'] },
    result: Type.Object({ ...EventEndpoint.properties, secret: Secret }),
    errors: ['event_url_refused', 'event_endpoint_limit_reached'],
    redact: ['secret'],
  }),
  updateEventEndpoint: operation({
    ...console,
    id: 'updateEventEndpoint',
    stepUp: 'data',
    method: 'PATCH',
    path: '/console/v1/event-endpoints/{endpointId}',
    summary: 'Change, enable or disable an endpoint; absent fields stay unchanged',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      endpointId: EndpointId,
      url: Type.Optional(WebUrl),
      description: Type.Optional(
        Type.Union([Description, Type.Null()], {
          description: 'Null removes it.',
          'x-allowed': 'must be a string of 1 to 255 characters, or null',
        }),
      ),
      types: Type.Optional(Types),
      enabled: Type.Optional(Flag('A disabled endpoint gets no events; those that wait for an attempt become dead.')),
    }),
    example: { ...exampleOf, enabled: false },
    result: EventEndpoint,
    errors: ['event_endpoint_not_found', 'event_url_refused'],
    redact: [],
  }),
  removeEventEndpoint: operation({
    ...console,
    id: 'removeEventEndpoint',
    stepUp: 'data',
    method: 'DELETE',
    path: '/console/v1/event-endpoints/{endpointId}',
    summary: 'Remove an endpoint with its deliveries',
    access: 'administrator',
    parameters: ofEndpoint,
    example: exampleOf,
    result: Type.Boolean(),
    errors: ['event_endpoint_not_found'],
    redact: [],
  }),
  rotateEventSecret: operation({
    ...console,
    id: 'rotateEventSecret',
    stepUp: 'data',
    method: 'POST',
    path: '/console/v1/event-endpoints/{endpointId}/secrets',
    summary: 'Rotate the secret of an endpoint; the new one is shown once, both sign during the overlap',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      endpointId: EndpointId,
      overlap: Type.Optional(
        Long({
          maximum: (30 * day) / second,
          default: day / second,
          description: 'Seconds.',
          'x-allowed': 'must be a number of seconds, at most 2592000 (30 days)',
        }),
      ),
    }),
    example: exampleOf,
    result: Type.Object({ secret: Secret }),
    errors: ['event_endpoint_not_found'],
    redact: ['secret'],
  }),
  testEventEndpoint: operation({
    ...console,
    id: 'testEventEndpoint',
    method: 'POST',
    path: '/console/v1/event-endpoints/{endpointId}/test',
    summary: 'Send an event of type endpoint.tested now and return the attempt; it is not repeated',
    access: 'administrator',
    body: ['json'],
    parameters: ofEndpoint,
    example: exampleOf,
    result: EventDelivery,
    errors: ['event_endpoint_not_found'],
    redact: [],
  }),
  replayEvents: operation({
    ...console,
    id: 'replayEvents',
    method: 'POST',
    path: '/console/v1/event-endpoints/{endpointId}/replay',
    summary: `Redeliver the dead events of an endpoint since a time, oldest first, at most ${maxEventReplay}`,
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      endpointId: EndpointId,
      since: Long({
        description: 'Earliest time of the events, ms.',
        'x-allowed': 'must be a Unix time in ms',
        'x-clock': 'domain',
      }),
    }),
    example: { ...exampleOf, since: 0 },
    result: Type.Object({ replayed: Type.Integer({ description: 'Number of events that are delivered again.' }) }),
    errors: ['event_endpoint_not_found', 'event_endpoint_disabled'],
    redact: [],
  }),
}

/** Endpoints of the company's backend, and the events that were sent to them. */
export const eventOperations = {
  ...endpointOperations,
  searchEventDeliveries: operation({
    ...console,
    id: 'searchEventDeliveries',
    method: 'GET',
    path: '/console/v1/event-deliveries',
    summary: 'List event deliveries with their last attempt, newest first',
    access: 'administrator',
    parameters: Type.Object({
      endpointId: Type.Optional(EndpointId),
      state: Type.Optional(
        Type.Enum([...eventDeliveryStates], { 'x-allowed': `must be one of ${eventDeliveryStates.join(', ')}` }),
      ),
      type: Type.Optional(TypeName),
      ...paging,
    }),
    result: Page(EventDeliveryRow),
    errors: [],
    redact: [],
  }),
  getEventDelivery: operation({
    ...console,
    id: 'getEventDelivery',
    method: 'GET',
    path: '/console/v1/event-deliveries/{deliveryId}',
    summary: 'Get a delivery with its payload and all attempts',
    access: 'administrator',
    parameters: ofDelivery,
    example: exampleOfDelivery,
    result: EventDelivery,
    errors: ['event_delivery_not_found'],
    redact: [],
  }),
  replayEventDelivery: operation({
    ...console,
    id: 'replayEventDelivery',
    method: 'POST',
    path: '/console/v1/event-deliveries/{deliveryId}/replay',
    summary: 'Redeliver an event now and return the attempt',
    access: 'administrator',
    body: ['json'],
    parameters: ofDelivery,
    example: exampleOfDelivery,
    result: EventDelivery,
    errors: ['event_delivery_not_found'],
    redact: [],
  }),
}
