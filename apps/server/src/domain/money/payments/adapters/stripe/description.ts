import type { ProviderDescription } from '@souk/contract'

export const description = {
  title: 'Stripe',
  payType: 'cardProcessorA',
  docs: 'https://docs.stripe.com/payments/checkout',
  baseUrl: {
    default: 'https://api.stripe.com',
    description: 'Keep the default, except for tests against a fake provider.',
  },
  settings: {},
  secrets: {
    secretKey: {
      title: 'Secret key',
      description:
        'Dashboard, Developers, API keys: the secret key, or a restricted key with write permission for Checkout Sessions, PaymentIntents and Refunds.',
      pattern: '^(sk|rk)_[0-9A-Za-z_]{1,480}$',
      allowed: 'must start with sk_ or rk_',
    },
    webhookSecret: {
      title: 'Webhook signing secret',
      description:
        'Dashboard, Developers, Webhooks: the signing secret of the endpoint for this account’s webhook URL.',
      pattern: '^whsec_[0-9A-Za-z+/=_-]{1,480}$',
      allowed: 'must start with whsec_',
    },
  },
} satisfies ProviderDescription
