import { type Static, type TObject, Type } from 'typebox'
import { type PayType, payType } from './trade.ts'

/** A setting of a provider account as an operator enters it: `title` is its name, `description` says where to find it. */
const Setting = (title: string, description: string, options: object = {}) =>
  Type.String({ title, description, minLength: 1, maxLength: 500, 'x-allowed': 'must be a text', ...options })

const BaseUrl = (otherwise: string, description: string) =>
  Setting('Base address', description, {
    default: otherwise,
    pattern: '^https?://[^\\s/?#@]+$',
    'x-allowed': 'must be an https address without a path, such as https://api.example.com',
  })

/**
 * The payment providers that Souk has an adapter for, and what an operator enters to open an account of each. `settings`
 * can be shown again, `secrets` cannot. `payType` is null where the provider rehearses all of them.
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
        'Dashboard, Settings, Business details, Channels: the ID that begins with pc_.',
        {
          pattern: '^pc_[0-9a-z]{1,64}$',
          'x-allowed': 'must be the ID of a processing channel, pc_ and lowercase letters and digits',
        },
      ),
      billingCountry: Setting(
        'Billing country',
        'Two letters (ISO 3166-1), such as SA: the country that the page starts the billing address with.',
        { pattern: '^[A-Z]{2}$', 'x-allowed': 'must be two uppercase letters' },
      ),
    }),
    secrets: Type.Object({
      secretKey: Setting(
        'Secret key',
        'Dashboard, Developers, Keys: a secret key that may take, read, void and refund payments.',
      ),
      webhookKey: Setting(
        'Signature key of the webhook',
        'Dashboard, Developers, Webhooks: the signature key of the webhook that sends to this account’s webhook address.',
      ),
    }),
  },
  stripe: {
    title: 'Stripe',
    payType: payType.cardProcessorA,
    docs: 'https://docs.stripe.com/payments/checkout',
    settings: Type.Object({
      baseUrl: BaseUrl('https://api.stripe.com', 'Leave it as it is, except for tests against a provider of your own.'),
    }),
    secrets: Type.Object({
      secretKey: Setting(
        'Secret key',
        'Dashboard, Developers, API keys: the secret key, or a restricted key that may write Checkout Sessions, PaymentIntents and Refunds.',
        { pattern: '^(sk|rk)_[0-9A-Za-z_]{1,480}$', 'x-allowed': 'must begin with sk_ or rk_' },
      ),
      webhookSecret: Setting(
        'Signing secret of the webhook',
        'Dashboard, Developers, Webhooks: the signing secret of the endpoint that is this account’s webhook address.',
        { pattern: '^whsec_[0-9A-Za-z+/=_-]{1,480}$', 'x-allowed': 'must begin with whsec_' },
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
        'By the region of the account: https://secure.paytabs.sa for Saudi Arabia, https://secure.paytabs.com for the United Arab Emirates, https://secure-global.paytabs.com for others.',
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

/** A provider's name: what `payment_attempts.provider` holds. */
export type Provider = keyof typeof providers
export const providerNames = Object.keys(providers) as Provider[]

/** What an account of a provider is opened with. */
export type ProviderSettings<P extends Provider> = Static<(typeof providers)[P]['settings']>
export type ProviderSecrets<P extends Provider> = Static<(typeof providers)[P]['secrets']>
