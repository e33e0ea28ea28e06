import { type Static, type TObject, Type } from 'typebox'
import { type PayType, payType } from './trade.ts'

/** A setting of a provider account. `title` is its label, `description` says where to find it. */
const Setting = (title: string, description: string, options: object = {}) =>
  Type.String({ title, description, minLength: 1, maxLength: 500, 'x-allowed': 'must be a string', ...options })

const BaseUrl = (otherwise: string, description: string) =>
  Setting('Base URL', description, {
    default: otherwise,
    pattern: '^https?://[^\\s/?#@]+$',
    'x-allowed': 'must be an https URL without a path, such as https://api.example.com',
  })

/**
 * Payment providers with an adapter, and the fields of a provider account. `settings` can be shown again, `secrets`
 * cannot. `payType` is null if the provider supports all of them.
 */
export const providers = {
  checkout: {
    title: 'Checkout.com',
    payType: payType.hostedCheckout,
    docs: 'https://www.checkout.com/docs/payments/accept-payments/accept-a-payment-on-a-hosted-page',
    settings: Type.Object({
      baseUrl: BaseUrl(
        'https://api.checkout.com',
        'Dashboard, Developers, Overview: the base URL of the account, such as https://1a2b3c4d.api.checkout.com, and for tests https://1a2b3c4d.api.sandbox.checkout.com.',
      ),
      processingChannelId: Setting(
        'Processing channel',
        'Dashboard, Settings, Business details, Channels: the ID that starts with pc_.',
        {
          pattern: '^pc_[0-9a-z]{1,64}$',
          'x-allowed': 'must be the ID of a processing channel: pc_ followed by lowercase letters and digits',
        },
      ),
      billingCountry: Setting(
        'Billing country',
        'ISO 3166-1 code such as SA: the preselected country of the billing address.',
        { pattern: '^[A-Z]{2}$', 'x-allowed': 'must be two uppercase letters' },
      ),
    }),
    secrets: Type.Object({
      secretKey: Setting(
        'Secret key',
        'Dashboard, Developers, Keys: a secret key with permission to create, read, void and refund payments.',
      ),
      webhookKey: Setting(
        'Webhook signature key',
        'Dashboard, Developers, Webhooks: the signature key of the webhook for this account’s webhook URL.',
      ),
    }),
  },
  stripe: {
    title: 'Stripe',
    payType: payType.cardProcessorA,
    docs: 'https://docs.stripe.com/payments/checkout',
    settings: Type.Object({
      baseUrl: BaseUrl('https://api.stripe.com', 'Keep the default, except for tests against a fake provider.'),
    }),
    secrets: Type.Object({
      secretKey: Setting(
        'Secret key',
        'Dashboard, Developers, API keys: the secret key, or a restricted key with write permission for Checkout Sessions, PaymentIntents and Refunds.',
        { pattern: '^(sk|rk)_[0-9A-Za-z_]{1,480}$', 'x-allowed': 'must start with sk_ or rk_' },
      ),
      webhookSecret: Setting(
        'Webhook signing secret',
        'Dashboard, Developers, Webhooks: the signing secret of the endpoint for this account’s webhook URL.',
        { pattern: '^whsec_[0-9A-Za-z+/=_-]{1,480}$', 'x-allowed': 'must start with whsec_' },
      ),
    }),
  },
  paytabs: {
    title: 'PayTabs',
    payType: payType.cardProcessorB,
    docs: 'https://docs.paytabs.com/',
    settings: Type.Object({
      baseUrl: BaseUrl(
        'https://secure.paytabs.sa',
        'Depends on the region of the account: https://secure.paytabs.sa for Saudi Arabia, https://secure.paytabs.com for the United Arab Emirates, https://secure-global.paytabs.com for others.',
      ),
      profileId: Setting('Profile ID', 'Dashboard, Developers, Key management: the profile ID.', {
        pattern: '^[0-9]{1,12}$',
        'x-allowed': 'must be digits',
      }),
    }),
    secrets: Type.Object({
      serverKey: Setting('Server key', 'Dashboard, Developers, Key management: the server key of the profile.'),
    }),
  },
  sandbox: {
    title: 'Sandbox',
    payType: null,
    docs: null,
    settings: Type.Object({}),
    secrets: Type.Object({}),
  },
} as const satisfies Record<string, ProviderForm>

interface ProviderForm {
  title: string
  payType: PayType | null
  docs: string | null
  settings: TObject
  secrets: TObject
}

/** A provider's name, as in `payment_attempts.provider`. */
export type Provider = keyof typeof providers
export const providerNames = Object.keys(providers) as Provider[]

/** Fields of a provider account. */
export type ProviderSettings<P extends Provider> = Static<(typeof providers)[P]['settings']>
export type ProviderSecrets<P extends Provider> = Static<(typeof providers)[P]['secrets']>
