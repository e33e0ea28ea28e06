import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { HttpUrl, LanguageTag, Long, signed, Text } from '../schemas.ts'
import { OpenIds } from './openIds.ts'

/** Sends a plain-text notification to users of the host application (open-api §4.3). */
export const sendNotify = operation({
  id: 'sendNotify',
  surface: 'open',
  method: 'POST',
  path: '/neuopenapi/notify/sendNotify',
  summary: 'Send notification',
  section: '4.3',
  auth: 'sign',
  capability: 'notification',
  body: ['form', 'multipart'],
  retry: 'sameSignature',
  parameters: Type.Object({
    ...signed,
    notifyType: Long({
      minimum: 1,
      maximum: 1,
      description: 'Message type; 1 = plain text.',
      'x-allowed': 'must be 1 (plain text)',
    }),
    openIds: OpenIds,
    title: Text(128, { description: 'Topic.' }),
    text: Text(2048, { description: 'Text content.' }),
    navigateType: Type.Enum(['1', '2'], {
      description: 'Navigation type; 1 = mini app, 2 = url.',
      'x-allowed': 'must be 1 (mini app) or 2 (url)',
    }),
    url: Type.Optional(HttpUrl(2048, { description: 'Required when navigateType is 2.' })),
    link: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'Page to open in the mini app, such as pages/index/index, optionally with a query.',
        'x-allowed': 'must be a page path of at most 1024 characters, such as pages/index/index',
      }),
    ),
    language: LanguageTag,
  }),
  result: Type.Boolean({ description: 'True when the notification was sent.' }),
  errors: ['recipients_unknown', 'testers_only'],
  redact: ['sign'],
})
