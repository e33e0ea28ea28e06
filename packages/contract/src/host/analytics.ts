import { Type } from 'typebox'
import { analyticsEventKinds, analyticsLimits, errorRecordingLimits, launchFailures } from '../analytics.ts'
import { customEventLimits, customEventName } from '../customEvents.ts'
import { operation } from '../operation.ts'
import { Appid, Hex32, Long } from '../schemas.ts'

const { batch, text, stack, delay, launchTime } = analyticsLimits
const megabyte = 1024 ** 2
/** Characters of a recording in Base64. */
const maxRecording = Math.ceil(errorRecordingLimits.compressed / 3) * 4

/** An event in an open mini app. `kind` determines which fields are read. */
const AnalyticsEvent = Type.Object(
  {
    kind: Type.Enum([...analyticsEventKinds]),
    age: Long({ maximum: delay, description: 'How long ago it happened, ms.' }),
    page: Type.Optional(Type.String({ maxLength: text, description: 'Path of the page, without its query.' })),
    duration: Type.Optional(Long({ maximum: launchTime, description: 'Time from the opening to the first page, ms.' })),
    failure: Type.Optional(Type.Enum([...launchFailures])),
    message: Type.Optional(Type.String({ maxLength: text, description: 'Message of a JavaScript error.' })),
    stack: Type.Optional(Type.String({ maxLength: stack, description: 'Stack of a JavaScript error.' })),
    request: Type.Optional(
      Type.Object(
        {
          method: Type.String({ pattern: '^[A-Z]{1,10}$' }),
          address: Type.String({ maxLength: text, description: 'Host and path, without query.' }),
          status: Long({ maximum: 599, description: 'HTTP status; 0 without a response.' }),
        },
        { additionalProperties: false },
      ),
    ),
    custom: Type.Optional(
      Type.Object(
        {
          name: Type.String({ pattern: customEventName.source }),
          fields: Type.Optional(
            Type.Record(
              Type.String({ pattern: customEventName.source }),
              Type.Union([Type.String({ maxLength: customEventLimits.value }), Type.Integer(), Type.Boolean()]),
              {
                // Otherwise names that do not match could be any text, which is counted as refused.
                additionalProperties: false,
                maxProperties: customEventLimits.fields,
                description: 'Absent if the mini app reported something else; the event is refused then.',
              },
            ),
          ),
        },
        {
          additionalProperties: false,
          description: 'A custom event. It is refused and counted as such if the mini app has not declared it so.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)

/** Events of mini apps that hosts report (ADR 324), and recordings of testers (ADR 426). */
export const analyticsHostOperations = {
  recordEvents: operation({
    surface: 'host',
    auth: 'hostSession',
    id: 'recordEvents',
    method: 'POST',
    path: '/host/v1/apps/{appid}/analytics',
    summary: 'Record what happened in an open mini app; ignored if its project has switched analytics off',
    body: ['json'],
    repairsText: true,
    parameters: Type.Object({
      appid: Appid,
      releaseId: Hex32({ description: 'The open release.' }),
      opening: Type.Optional(
        Type.Object(
          {
            id: Hex32({ description: 'Random, new each time that the mini app is opened.' }),
            place: Long({
              maximum: 100_000,
              description: 'Number of events of this opening that were reported before.',
            }),
          },
          {
            additionalProperties: false,
            description: 'The opening that the events belong to. Without it, custom events are not in funnels.',
            'x-allowed': 'must be an object with id (32 lowercase hexadecimal digits) and place (from 0 to 100000)',
          },
        ),
      ),
      events: Type.Array(AnalyticsEvent, {
        minItems: 1,
        maxItems: batch,
        description: 'Oldest first.',
        'x-allowed':
          `must be a list of at most ${batch} events with kind (${analyticsEventKinds.join(', ')}) and age in ms, ` +
          `at most ${delay}`,
      }),
    }),
    example: { events: [{ kind: 'open', age: 0 }] },
    maxBody: analyticsLimits.body,
    result: Type.Object({
      stored: Type.Integer({ description: 'Number of stored events; lower than sent if a daily limit is exceeded.' }),
    }),
    errors: ['session_invalid', 'release_not_found', 'rate_limited'],
    redact: [],
  }),
  sendErrorRecording: operation({
    surface: 'host',
    auth: 'hostSession',
    id: 'sendErrorRecording',
    method: 'POST',
    path: '/host/v1/apps/{appid}/analytics/recordings',
    summary:
      'Send the recording of a session that ended with a JavaScript error; testers only, and one for each opening',
    body: ['json'],
    repairsText: true,
    parameters: Type.Object({
      appid: Appid,
      releaseId: Hex32({ description: 'The open release.' }),
      opening: Hex32({ description: 'The opening, as in recordEvents.' }),
      message: Type.Optional(
        Type.String({ maxLength: text, description: 'Message of the error, as in recordEvents.' }),
      ),
      stack: Type.Optional(Type.String({ maxLength: stack, description: 'Stack of the error, as in recordEvents.' })),
      recording: Type.String({
        maxLength: maxRecording,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        description:
          'The masked recording (packages/contract/src/recording.ts), compressed with gzip, in Base64. At most ' +
          `${errorRecordingLimits.compressed / megabyte} MB compressed and ` +
          `${errorRecordingLimits.uncompressed / megabyte} MB uncompressed.`,
        'x-allowed': `must be Base64 of at most ${maxRecording} characters`,
      }),
    }),
    example: {
      opening: '3f1b6c7d8e9f40718293a4b5c6d7e8f9',
      message: 'x is not defined',
      stack: '',
      recording:
        'H4sIAAAAAAACA6tWKs4vzVayUipKTc4vSsnMS1fSUSpLLSrOzM9TsjLUUUosKMhMAcqnpObmA9kGEGAIVFWSmZsKVGJuZmFiamEGFq7lAgDm3IuwUAAAAA==',
    },
    maxBody: maxRecording + analyticsLimits.body,
    result: Type.Object({
      stored: Type.Boolean({
        description: 'False if the opening has a recording already, or the project has switched analytics off.',
      }),
    }),
    errors: ['session_invalid', 'release_not_found', 'rate_limited'],
    redact: ['recording', 'message', 'stack'],
  }),
}
