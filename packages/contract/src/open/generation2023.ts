import { Type } from 'typebox'
import { Appid } from '../schemas.ts'
import { messageOpenOperations } from './messages.ts'

const { sendNotify } = messageOpenOperations
const { openIds, language, ...parameters } = sendNotify.parameters.properties

/**
 * Send notification as the platform's documentation of 2023 describes it, with the rule that chooses the recipients.
 * Not one of `openOperations`: an installation can accept it, and sends it as `sendNotify`.
 */
export const sendNotify2023 = {
  ...sendNotify,
  parameters: Type.Object({
    ...parameters,
    rulesType: Type.Enum(['1', '2', '3'], {
      description: 'Recipients; 1 = everyone, 2 = by phone number, 3 = by openId or uid.',
      'x-allowed': 'must be 1 (everyone), 2 (by phone number) or 3 (by uid)',
    }),
    countryCode: Type.Optional(
      Type.String({ pattern: '^\\+?[0-9]{1,4}$', 'x-allowed': 'must be a country code such as +966' }),
    ),
    mobileNumber: Type.Optional(
      Type.String({ pattern: '^[0-9]{4,15}$', 'x-allowed': 'must be a phone number of 4 to 15 digits' }),
    ),
    miniAppId: Type.Optional(Appid),
    openIds: Type.Optional(openIds),
    language: Type.Optional(language),
  }),
  redact: ['sign', 'countryCode', 'mobileNumber'],
} as const
