import { Type } from 'typebox'
import { After, InspectionStream, Message } from '../console/inspections.ts'
import { inspectionsLimits } from '../inspections.ts'
import { operation } from '../operation.ts'
import { Hex32, Text } from '../schemas.ts'

const host = { surface: 'host', auth: 'hostSession' } as const

const Code = Text(100, { description: 'The code of the link that the phone has opened.' })
const ofInspection = { inspectionId: Hex32({ description: 'The inspection.' }) }

/** The phone's side of an inspection of a mini app (ADR 331). */
export const inspectionHostOperations = {
  showInspection: operation({
    ...host,
    id: 'showInspection',
    method: 'POST',
    path: '/host/v1/inspections/show',
    summary: 'Show who wants to inspect which mini app, before the user is asked',
    body: ['json'],
    parameters: Type.Object({ code: Code }),
    example: { code: 'souk_inspect_1' },
    result: Type.Object({
      appid: Type.String(),
      developer: Type.String({ description: 'Name of the account, or admin.' }),
      project: Type.String({ description: 'Name of the project.' }),
    }),
    errors: ['session_invalid', 'inspection_code_invalid'],
    redact: ['code'],
  }),
  answerInspection: operation({
    ...host,
    id: 'answerInspection',
    method: 'POST',
    path: '/host/v1/inspections/answer',
    summary:
      'Allow the developer to inspect the mini app in this session of the user, or decline; the code cannot be used again',
    body: ['json'],
    parameters: Type.Object({
      code: Code,
      accepted: Type.Boolean({ 'x-allowed': 'must be true or false' }),
    }),
    example: { code: 'souk_inspect_1', accepted: true },
    result: Type.Object({ inspectionId: Hex32() }),
    errors: ['session_invalid', 'inspection_code_invalid'],
    redact: ['code'],
  }),
  followInspection: operation({
    ...host,
    id: 'followInspection',
    method: 'GET',
    path: '/host/v1/inspections/{inspectionId}/messages',
    summary: 'Stream commands of the developer; only for the session that accepted the inspection',
    stream: true,
    parameters: Type.Object({ ...ofInspection, after: After }),
    result: InspectionStream,
    errors: ['session_invalid'],
    redact: ['data'],
  }),
  reportToInspection: operation({
    ...host,
    id: 'reportToInspection',
    method: 'POST',
    path: '/host/v1/inspections/{inspectionId}/messages',
    summary: `Report to the developer; at most ${inspectionsLimits.messagesPerMinute} messages a minute`,
    body: ['json'],
    maxBody: inspectionsLimits.body,
    parameters: Type.Object({ ...ofInspection, message: Message }),
    example: { message: '{"entries":[]}' },
    result: Type.Boolean(),
    errors: ['session_invalid', 'inspection_not_found', 'rate_limited'],
    redact: ['message'],
  }),
  leaveInspection: operation({
    ...host,
    id: 'leaveInspection',
    method: 'DELETE',
    path: '/host/v1/inspections/{inspectionId}',
    summary: 'End an inspection',
    parameters: Type.Object(ofInspection),
    result: Type.Boolean(),
    errors: ['session_invalid', 'inspection_not_found'],
    redact: [],
  }),
}
