import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable } from '../schemas.ts'
import { console, Flag } from './surface.ts'

/** Maximum number of allowed origins. */
const maxOrigins = 50

const Origins = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: maxOrigins,
  uniqueItems: true,
  description: 'Origins of web pages that may call /host/v1 and show mini apps. Wildcards are not allowed.',
  'x-allowed': `must be a list of at most ${maxOrigins} origins`,
})
const RequireSecondFactor = Flag('Whether accounts of the console need a second factor.')
const RequireReviews = Flag('Whether releases need an approved review before they are published.')
const MaxDailyMessages = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'Maximum number of messages that a user gets from a mini app in a day (UTC); null: no limit.',
    'x-allowed': 'must be a whole number from 1 to 1000, or null',
  }),
)
const PlatformSettings = Type.Object({
  allowedOrigins: Origins,
  requireSecondFactor: RequireSecondFactor,
  requireReviews: RequireReviews,
  maxDailyMessages: MaxDailyMessages,
})

/** Settings of the installation that administrators change while it runs. */
export const platformSettingsOperations = {
  getPlatformSettings: operation({
    ...console,
    id: 'getPlatformSettings',
    method: 'GET',
    path: '/console/v1/platform-settings',
    summary: 'Get the settings of the installation',
    access: 'administrator',
    parameters: Type.Object({}),
    result: PlatformSettings,
    errors: [],
    redact: [],
  }),
  updatePlatformSettings: operation({
    ...console,
    id: 'updatePlatformSettings',
    stepUp: 'access',
    method: 'PATCH',
    path: '/console/v1/platform-settings',
    summary: 'Change settings of the installation; every process applies them within 10 seconds',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      allowedOrigins: Type.Optional(Origins),
      requireSecondFactor: Type.Optional(RequireSecondFactor),
      requireReviews: Type.Optional(RequireReviews),
      maxDailyMessages: Type.Optional(MaxDailyMessages),
    }),
    example: { allowedOrigins: ['https://app.example'] },
    result: PlatformSettings,
    errors: [],
    redact: [],
  }),
}
