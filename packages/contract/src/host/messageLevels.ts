import { Type } from 'typebox'
import { Listed, maxListed } from '../console/surface.ts'
import { MessageLevelSchema } from '../messageSchemas.ts'
import { operation } from '../operation.ts'
import { Appid, Nullable } from '../schemas.ts'

const host = { surface: 'host', auth: 'hostSession' } as const

/** Decisions of users about the messages of mini apps. */
export const messageLevelHostOperations = {
  listMessageLevels: operation({
    ...host,
    id: 'listMessageLevels',
    method: 'GET',
    path: '/host/v1/message-levels',
    summary: `List the mini apps that can send messages to the user, with the level that the user has chosen, at most ${maxListed}`,
    parameters: Type.Object({}),
    result: Listed(
      Type.Object({
        appid: Type.String(),
        name: Type.String(),
        iconUrl: Nullable(Type.String()),
        level: MessageLevelSchema,
      }),
    ),
    errors: ['session_invalid'],
    redact: [],
  }),
  getMessageLevel: operation({
    ...host,
    id: 'getMessageLevel',
    method: 'GET',
    path: '/host/v1/apps/{appid}/message-level',
    summary: 'Get the level of the messages of a mini app',
    parameters: Type.Object({ appid: Appid }),
    result: Type.Object({
      level: MessageLevelSchema,
      decided: Type.Boolean({ description: 'False: the user has chosen none, and the level is on.' }),
      available: Type.Boolean({ description: 'Whether the mini app has a capability to send messages.' }),
    }),
    errors: ['session_invalid', 'app_not_found'],
    redact: [],
  }),
  setMessageLevel: operation({
    ...host,
    id: 'setMessageLevel',
    method: 'PATCH',
    path: '/host/v1/apps/{appid}/message-level',
    summary: 'Choose the level of the messages of a mini app; off also removes its activity messages',
    body: ['json'],
    parameters: Type.Object({ appid: Appid, level: MessageLevelSchema }),
    example: { level: 'silent' },
    result: Type.Boolean(),
    errors: ['session_invalid', 'app_not_found'],
    redact: [],
  }),
}
