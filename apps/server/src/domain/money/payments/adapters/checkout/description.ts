import type { ProviderDescription } from '@souk/contract'

export const description = {
  title: 'Checkout.com',
  payType: 'hostedCheckout',
  docs: 'https://www.checkout.com/docs/payments/accept-payments/accept-a-payment-on-a-hosted-page',
  baseUrl: {
    default: 'https://api.checkout.com',
    description:
      'Dashboard, Developers, Overview: the base URL of the account, such as https://1a2b3c4d.api.checkout.com, and for tests https://1a2b3c4d.api.sandbox.checkout.com.',
  },
  settings: {
    processingChannelId: {
      title: 'Processing channel',
      description: 'Dashboard, Settings, Business details, Channels: the ID that starts with pc_.',
      pattern: '^pc_[0-9a-z]{1,64}$',
      allowed: 'must be the ID of a processing channel: pc_ followed by lowercase letters and digits',
    },
    billingCountry: {
      title: 'Billing country',
      description: 'ISO 3166-1 code such as SA: the preselected country of the billing address.',
      pattern: '^[A-Z]{2}$',
      allowed: 'must be two uppercase letters',
    },
  },
  secrets: {
    secretKey: {
      title: 'Secret key',
      description:
        'Dashboard, Developers, Keys: a secret key with permission to create, read, void and refund payments.',
    },
    webhookKey: {
      title: 'Webhook signature key',
      description: 'Dashboard, Developers, Webhooks: the signature key of the webhook for this account’s webhook URL.',
    },
  },
} satisfies ProviderDescription
