import {
  consoleOperations,
  day,
  type EventDeliveryState,
  type EventEndpointState,
  type EventType,
  eventTypeNames,
  type ResultOf,
  second,
  subscribedEventTypes,
} from '@souk/contract'
import { type Command, Option } from 'commander'
import { formatDuration, parseDuration } from '../duration.ts'
import { Failure } from '../failure.ts'
import { fields, plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { overlapOption } from './arguments.ts'
import { answerOf, deliveryState, deliveryStateOption, describeAttempt, describeNext } from './deliveries.ts'

const {
  listEventEndpoints,
  addEventEndpoint,
  updateEventEndpoint,
  removeEventEndpoint,
  rotateEventSecret,
  testEventEndpoint,
  replayEvents,
  searchEventDeliveries,
  getEventDelivery,
  replayEventDelivery,
} = consoleOperations

type SubscribedType = (typeof subscribedEventTypes)[number]
type Delivery = ResultOf<typeof getEventDelivery>

/** `souk events …`: endpoints of the company's backend, and the events that they get. */
export function addEventCommands(program: Command, add: AddCommand): void {
  const events = program.command('events')
  addAddCommand(events, add)
  addListCommand(events, add)
  addUpdateCommand(events, add)
  addRemoveCommand(events, add)
  addStateCommands(events, add)
  addSecretCommand(events, add)
  addTestCommand(events, add)
  addDeliveryCommands(events, add)
  addResendCommand(events, add)
}

const typeOption = (description: string) => new Option('--type <types...>', description).choices(subscribedEventTypes)

function addAddCommand(events: Command, add: AddCommand): void {
  add<[], { url: string; type?: SubscribedType[]; description?: string }>(events, {
    usage: 'add',
    summary: 'add an endpoint; prints its secret, which is not shown again',
    examples: [
      'events add --url https://backend.example/souk',
      'events add --url https://backend.example/souk --type notification.created --description Push',
    ],
    options: (command) =>
      command
        .requiredOption('--url <url>', 'URL that receives the events')
        .addOption(typeOption('event types that it gets; all by default'))
        .option('--description <text>', 'description shown in the console'),
    action: async ({ server, print, style }, { url, type = [...subscribedEventTypes], description }) => {
      const input = { url, types: type, ...(description === undefined ? {} : { description }) }
      print(await server.call(addEventEndpoint, input), (it) =>
        [
          `Added ${plain(it.url)}. Its secret is shown only once.`,
          fields(
            [
              ['endpoint', it.endpointId],
              ['types', it.types.join(', ')],
              ['secret', it.secret],
            ],
            style,
          ),
        ].join('\n'),
      )
    },
  })
}

function addListCommand(events: Command, add: AddCommand): void {
  add(events, {
    usage: 'list',
    summary: 'list endpoints with their state',
    examples: ['events list', 'events list --json'],
    action: async ({ server, style, printTimed }) => {
      await printTimed(await server.call(listEventEndpoints, {}), (found, relative) =>
        found.length === 0
          ? 'No endpoints yet. Add one with souk events add.'
          : table(
              ['ID', 'URL', 'STATE', 'NEXT PROBE', 'PENDING', 'FAILED', 'TYPES', 'ADDED'],
              found.map((it) => [
                ...[it.endpointId, plain(it.url), stateOf(it.state, style)],
                ...[it.pausedUntil ? relative(it.pausedUntil) : '–', String(it.pending), String(it.dead)],
                ...[it.types.join(', '), relative(it.ctime)],
              ]),
              style,
            ),
      )
    },
  })
}

function addUpdateCommand(events: Command, add: AddCommand): void {
  add<[string], { url?: string; type?: SubscribedType[]; description?: string }>(events, {
    usage: 'update <endpointId>',
    summary: 'change an endpoint',
    examples: ['events update 0123456789abcdef0123456789abcdef --type trade.changed user.erased'],
    options: (command) =>
      command
        .option('--url <url>', 'URL that receives the events')
        .addOption(typeOption('event types that it gets'))
        .option('--description <text>', 'description shown in the console'),
    action: async ({ server, print }, { url, type, description }, endpointId) => {
      const change = {
        ...(url === undefined ? {} : { url }),
        ...(type === undefined ? {} : { types: type }),
        ...(description === undefined ? {} : { description }),
      }
      if (Object.keys(change).length === 0) throw new Failure(2, 'Say what to change: --url, --type or --description.')
      print(
        await server.call(updateEventEndpoint, { endpointId, ...change }),
        (it) => `${plain(it.url)} gets ${it.types.join(', ')}.`,
      )
    },
  })
}

function addRemoveCommand(events: Command, add: AddCommand): void {
  add<[string]>(events, {
    usage: 'remove <endpointId>',
    summary: 'remove an endpoint with its deliveries',
    examples: ['events remove 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, endpointId) => {
      print(await server.call(removeEventEndpoint, { endpointId }), () => `Removed ${endpointId}.`)
    },
  })
}

function addStateCommands(events: Command, add: AddCommand): void {
  add<[string], { since?: number }>(events, {
    usage: 'enable <endpointId>',
    summary: 'enable an endpoint; with --since, send its failed events again',
    examples: [
      'events enable 0123456789abcdef0123456789abcdef',
      'events enable 0123456789abcdef0123456789abcdef --since 7d',
    ],
    options: (command) =>
      command.option('--since <duration>', 'also resend events that failed in this period', parseDuration),
    action: async ({ server, print, domainTime }, { since }, endpointId) => {
      const enabled = await server.call(updateEventEndpoint, { endpointId, enabled: true })
      if (since === undefined) {
        print(enabled, ({ url, state }) => `${plain(url)} is ${state}.`)
        return
      }
      const from = Math.max(0, (await domainTime()) - since)
      const { replayed } = await server.call(replayEvents, { endpointId, since: from })
      print(
        { ...enabled, replayed },
        ({ url, state }) => `${plain(url)} is ${state}. Delivering ${replayed} events again.`,
      )
    },
  })

  add<[string]>(events, {
    usage: 'disable <endpointId>',
    summary: 'disable an endpoint; it misses all events until it is enabled again',
    examples: ['events disable 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, endpointId) => {
      print(
        await server.call(updateEventEndpoint, { endpointId, enabled: false }),
        ({ url, state }) => `${plain(url)} is ${state}.`,
      )
    },
  })
}

function addSecretCommand(events: Command, add: AddCommand): void {
  add<[string], { overlap?: number }>(events, {
    usage: 'rotate-secret <endpointId>',
    summary: 'create a new secret; events are signed with both secrets during the overlap',
    examples: ['events rotate-secret 0123456789abcdef0123456789abcdef --overlap 1h'],
    options: (command) => command.addOption(overlapOption()),
    action: async ({ server, print, style }, { overlap = day }, endpointId) => {
      const rotated = await server.call(rotateEventSecret, { endpointId, overlap: Math.ceil(overlap / second) })
      const until = overlap === 0 ? 'signs no longer' : `signs for another ${formatDuration(overlap)}`
      print(rotated, ({ secret }) =>
        [
          `Rotated the secret of ${endpointId}. It is shown only once. The old one ${until}.`,
          fields([['secret', secret]], style),
        ].join('\n'),
      )
    },
  })
}

function addTestCommand(events: Command, add: AddCommand): void {
  add<[string]>(events, {
    usage: 'test <endpointId>',
    summary: 'send an event of type endpoint.tested; exits with 1 unless it is acknowledged',
    examples: ['events test 0123456789abcdef0123456789abcdef'],
    action: async ({ server, style, printTimed }, _, endpointId) => {
      const delivery = await server.call(testEventEndpoint, { endpointId })
      await printTimed(delivery, (it, relative) => describe(it, style, relative))
      return delivery.state === 'delivered' ? 0 : 1
    },
  })
}

interface Filter {
  endpoint?: string
  state?: EventDeliveryState
  type?: EventType
}

function addDeliveryCommands(events: Command, add: AddCommand): void {
  add<[], Filter>(events, {
    usage: 'deliveries',
    summary: 'list deliveries with their last attempt, newest first, at most 200',
    examples: ['events deliveries', 'events deliveries --endpoint 0123456789abcdef0123456789abcdef --state failed'],
    options: (command) =>
      command
        .option('--endpoint <endpointId>', 'only deliveries to this endpoint')
        .addOption(deliveryStateOption())
        .addOption(new Option('--type <type>', 'only events of this type').choices(eventTypeNames)),
    action: async ({ server, style, printTimed }, { endpoint, state, type }) => {
      const { items } = await server.call(searchEventDeliveries, {
        limit: 200,
        ...(endpoint === undefined ? {} : { endpointId: endpoint }),
        ...(state === undefined ? {} : { state }),
        ...(type === undefined ? {} : { type }),
      })
      await printTimed(items, (found, relative) =>
        found.length === 0
          ? 'No deliveries.'
          : table(
              ['ID', 'TYPE', 'STATE', 'ATTEMPTS', 'LAST RESPONSE', 'NEXT', 'CREATED'],
              found.map((it) => [
                ...[it.deliveryId, it.type, deliveryState(it.state, style), String(it.attemptCount)],
                ...[it.lastAttempt ? answerOf(it.lastAttempt) : '–', it.nextAttempt ? relative(it.nextAttempt) : '–'],
                relative(it.ctime),
              ]),
              style,
            ),
      )
    },
  })

  add<[string]>(events, {
    usage: 'show <deliveryId>',
    summary: 'show a delivery with its payload and all attempts',
    examples: ['events show 0123456789abcdef0123456789abcdef'],
    action: async ({ server, style, printTimed }, _, deliveryId) => {
      await printTimed(await server.call(getEventDelivery, { deliveryId }), (it, relative) =>
        [describe(it, style, relative), plain(JSON.stringify(it.payload, null, 2))].join('\n'),
      )
    },
  })
}

function addResendCommand(events: Command, add: AddCommand): void {
  add<[string | undefined], { endpoint?: string; since?: number }>(events, {
    usage: 'resend [deliveryId]',
    summary: 'resend one event now, or retry all failed events of an endpoint',
    examples: [
      'events resend 0123456789abcdef0123456789abcdef',
      'events resend --endpoint 0123456789abcdef0123456789abcdef --since 24h',
    ],
    options: (command) =>
      command
        .alias('replay')
        .option('--endpoint <endpointId>', 'resend the failed events of this endpoint')
        .option('--since <duration>', 'maximum age of the failed events (default: 24h)', parseDuration),
    action: async ({ server, style, print, printTimed, domainTime }, { endpoint, since = day }, deliveryId) => {
      if ((deliveryId === undefined) === (endpoint === undefined)) {
        throw new Failure(2, 'Say what to resend: a deliveryId, or --endpoint.')
      }
      if (endpoint !== undefined) {
        const input = { endpointId: endpoint, since: Math.max(0, (await domainTime()) - since) }
        print(await server.call(replayEvents, input), ({ replayed }) => `Delivering ${replayed} events again.`)
        return 0
      }
      const delivery = await server.call(replayEventDelivery, { deliveryId: deliveryId! })
      await printTimed(delivery, (it, relative) => describe(it, style, relative))
      return delivery.attempts.at(-1)?.acknowledged ? 0 : 1
    },
  })
}

function describe(delivery: Delivery, style: Style, relative: (time: number) => string): string {
  const { deliveryId, eventId, type, url, state, ctime, attempts } = delivery
  const next = describeNext(delivery, 'endpoint', relative)
  return [
    `${style('bold', type)} ${relative(ctime)}: ${deliveryState(state, style)}${next}`,
    style('dim', `  delivery ${deliveryId}, webhook-id ${eventId}, to ${plain(url)}`),
    ...attempts.map((attempt) => describeAttempt(attempt, style, relative)),
  ].join('\n')
}

function stateOf(state: EventEndpointState, style: Style): string {
  return style(
    ({ enabled: 'green', failing: 'yellow', disabled: 'dim', failed: 'red', gone: 'red' } as const)[state],
    state,
  )
}
