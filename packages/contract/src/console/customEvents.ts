import { Type } from 'typebox'
import { analyticsDays } from '../analytics.ts'
import {
  customEventDescription,
  customEventLimits,
  customEventName,
  customEventRefusals,
  customEventValue,
} from '../customEvents.ts'
import { operation } from '../operation.ts'
import { Appid, Hex32, Nullable, RealTime } from '../schemas.ts'
import { console } from './surface.ts'

const {
  fields: maxFields,
  values: maxValues,
  value: longestValue,
  description: longest,
  funnels: maxFunnels,
  minSteps,
  maxSteps,
} = customEventLimits

const Name = Type.String({
  pattern: customEventName.source,
  description: 'Mini apps report it as neu.reportEvent(name, fields).',
  'x-allowed': 'must be 1 to 64 letters, digits and _, the first a letter',
})
const EventField = Type.Union([
  Type.Object(
    {
      type: Type.Literal('enum'),
      values: Type.Array(Type.String({ pattern: customEventValue.source }), {
        minItems: 1,
        maxItems: maxValues,
        uniqueItems: true,
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object({ type: Type.Enum(['integer', 'boolean']) }, { additionalProperties: false }),
])

/** A custom event as members and projects declare it. */
const declaration = {
  name: Name,
  description: Type.String({
    pattern: customEventDescription.source,
    description: 'For members; can be empty.',
    'x-allowed': `must be a text of at most ${longest} characters, without control characters`,
  }),
  fields: Type.Record(Type.String({ pattern: customEventName.source }), EventField, {
    additionalProperties: false,
    maxProperties: maxFields,
    description: 'Its fields by name. Every field may be absent in a report.',
    'x-allowed':
      `must be an object with at most ${maxFields} fields of type integer, boolean, or enum with ` +
      `1 to ${maxValues} values of at most ${longestValue} characters, without control characters`,
  }),
}
const setters = ['console', 'project'] as const
const CustomEvent = Type.Object({
  ...declaration,
  setBy: Type.Enum([...setters], {
    description: 'console: a member, whom uploads do not overrule; project: custom-events.json of a release.',
  }),
  version: Nullable(Type.String({ description: 'Version of the release that set it; null for the console.' })),
  mtime: RealTime('Last change, ms.'),
})

const funnel = {
  name: Type.String({
    pattern: /^[^\p{Cc}\p{Cs}]{1,60}$/u.source,
    description: 'Shown to members.',
    'x-allowed': 'must be a text of 1 to 60 characters, without control characters',
  }),
  steps: Type.Array(Name, {
    minItems: minSteps,
    maxItems: maxSteps,
    uniqueItems: true,
    description: 'Names of custom events, which one opening of the mini app reports in this order.',
    'x-allowed': `must be a list of ${minSteps} to ${maxSteps} different names of custom events`,
  }),
}
const Funnel = Type.Object({ funnelId: Type.String(), ...funnel, ctime: RealTime() })

const example = {
  name: 'addToCart',
  description: 'A product was put into the cart.',
  fields: {
    category: { type: 'enum', values: ['tea', 'coffee'] },
    price: { type: 'integer' },
    member: { type: 'boolean' },
  },
}
/** The period and the release that are counted. */
const period = {
  days: Type.Optional(
    Type.Enum([...analyticsDays], {
      default: 30,
      description: 'Length of the period in days; with 1, the last 24 hours.',
      'x-allowed': `must be one of ${analyticsDays.join(', ')}`,
    }),
  ),
  releaseId: Type.Optional(Hex32({ description: 'Only this release.' })),
}
/** Counts of the period and of the one before. */
const Counts = { count: Type.Integer(), previous: Type.Integer() }

/** Events that mini apps declare, and what was reported of them (ADR 416). */
export const customEventOperations = {
  listCustomEvents: operation({
    ...console,
    id: 'listCustomEvents',
    method: 'GET',
    path: '/console/v1/apps/{appid}/custom-events',
    summary: 'List the custom events of a mini app, by name',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid }),
    result: Type.Array(CustomEvent),
    errors: [],
    redact: [],
  }),
  putCustomEvent: operation({
    ...console,
    id: 'putCustomEvent',
    method: 'POST',
    path: '/console/v1/apps/{appid}/custom-events',
    summary: 'Declare a custom event, or replace its declaration; uploads of releases no longer change it then',
    access: { action: 'app.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, ...declaration, description: Type.Optional(declaration.description) }),
    example,
    result: CustomEvent,
    errors: ['custom_event_limit_reached'],
    redact: [],
  }),
  removeCustomEvent: operation({
    ...console,
    id: 'removeCustomEvent',
    method: 'DELETE',
    path: '/console/v1/apps/{appid}/custom-events/{name}',
    summary: 'Remove a custom event that no alert rule watches; new reports of it are refused, and its counts stay',
    access: { action: 'app.manage', by: 'appid' },
    parameters: Type.Object({ appid: Appid, name: Name }),
    example: { name: example.name },
    result: Type.Boolean(),
    errors: ['custom_event_not_found', 'custom_event_in_use'],
    redact: [],
  }),
  getCustomEventCounts: operation({
    ...console,
    id: 'getCustomEventCounts',
    method: 'GET',
    path: '/console/v1/apps/{appid}/analytics/custom-events',
    summary: 'Get the counts of a mini app’s custom events and funnels in the last days, compared with the days before',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid, ...period }),
    result: Type.Object({
      events: Type.Array(Type.Object({ name: Type.String(), ...Counts }), {
        description: 'Most frequent first; also those that are no longer declared.',
      }),
      values: Type.Array(Type.Object({ event: Type.String(), field: Type.String(), value: Type.String(), ...Counts }), {
        description: 'Values of enums and booleans, most frequent first.',
      }),
      sums: Type.Array(
        Type.Object({ event: Type.String(), field: Type.String(), sum: Type.Integer(), previous: Type.Integer() }),
        { description: 'Sums of integers.' },
      ),
      refused: Type.Array(
        Type.Object({
          reason: Type.Enum([...customEventRefusals], {
            description:
              'event: it is not declared; field: it has a field that is not; value: a field has a value that it cannot have.',
          }),
          name: Type.String({ description: 'The event or <event>.<field>; empty for others.' }),
          ...Counts,
        }),
        { description: 'Reports that were not counted, most frequent first.' },
      ),
      funnels: Type.Array(
        Type.Object({
          ...Funnel.properties,
          current: Type.Array(Type.Integer(), { description: 'Openings that got to each step.' }),
          previous: Type.Array(Type.Integer()),
          days: Type.Array(
            Type.Object({ start: RealTime('Start of the day (UTC), ms.'), reached: Type.Array(Type.Integer()) }),
            { description: 'Days of the period on which an opening got to the first step, oldest first.' },
          ),
        }),
        { description: 'Oldest first. Up to ten minutes old.' },
      ),
    }),
    errors: [],
    redact: [],
  }),
  getCustomEventSeries: operation({
    ...console,
    id: 'getCustomEventSeries',
    method: 'GET',
    path: '/console/v1/apps/{appid}/analytics/custom-events/{name}',
    summary: 'Get the counts of one custom event per day, or per hour of the last 24 hours',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid, name: Name, ...period }),
    example: { name: example.name },
    result: Type.Object({
      span: Type.Enum(['hour', 'day']),
      series: Type.Array(
        Type.Object({ start: RealTime('Start of the hour or day (UTC), ms.'), count: Type.Integer() }),
        {
          description: 'Every hour or day, oldest first; 0 also for an event that was never reported.',
        },
      ),
    }),
    errors: [],
    redact: [],
  }),
  createFunnel: operation({
    ...console,
    id: 'createFunnel',
    method: 'POST',
    path: '/console/v1/apps/{appid}/funnels',
    summary: `Create a funnel over custom events; a mini app can have ${maxFunnels}`,
    access: { action: 'app.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, ...funnel }),
    example: { name: 'Orders', steps: ['addToCart', 'order'] },
    result: Funnel,
    errors: ['custom_event_not_found', 'funnel_limit_reached'],
    redact: [],
  }),
  deleteFunnel: operation({
    ...console,
    id: 'deleteFunnel',
    method: 'DELETE',
    path: '/console/v1/apps/{appid}/funnels/{funnelId}',
    summary: 'Delete a funnel with its counts',
    access: { action: 'app.manage', by: 'appid' },
    parameters: Type.Object({ appid: Appid, funnelId: Hex32({ description: 'The funnel.' }) }),
    result: Type.Boolean(),
    errors: ['funnel_not_found'],
    redact: [],
  }),
}
