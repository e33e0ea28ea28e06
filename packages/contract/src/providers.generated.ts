// Generated from the folders in apps/server/src/domain/money/payments/adapters by npm run generate.
export const descriptions = {
  "checkout": {
    "title": "Checkout.com",
    "payType": "hostedCheckout",
    "docs": "https://www.checkout.com/docs/payments/accept-payments/accept-a-payment-on-a-hosted-page",
    "baseUrl": {
      "default": "https://api.checkout.com",
      "description": "Dashboard, Developers, Overview: the base URL of the account, such as https://1a2b3c4d.api.checkout.com, and for tests https://1a2b3c4d.api.sandbox.checkout.com."
    },
    "settings": {
      "processingChannelId": {
        "title": "Processing channel",
        "description": "Dashboard, Settings, Business details, Channels: the ID that starts with pc_.",
        "pattern": "^pc_[0-9a-z]{1,64}$",
        "allowed": "must be the ID of a processing channel: pc_ followed by lowercase letters and digits"
      },
      "billingCountry": {
        "title": "Billing country",
        "description": "ISO 3166-1 code such as SA: the preselected country of the billing address.",
        "pattern": "^[A-Z]{2}$",
        "allowed": "must be two uppercase letters"
      }
    },
    "secrets": {
      "secretKey": {
        "title": "Secret key",
        "description": "Dashboard, Developers, Keys: a secret key with permission to create, read, void and refund payments."
      },
      "webhookKey": {
        "title": "Webhook signature key",
        "description": "Dashboard, Developers, Webhooks: the signature key of the webhook for this account’s webhook URL."
      }
    }
  },
  "stripe": {
    "title": "Stripe",
    "payType": "cardProcessorA",
    "docs": "https://docs.stripe.com/payments/checkout",
    "baseUrl": {
      "default": "https://api.stripe.com",
      "description": "Keep the default, except for tests against a fake provider."
    },
    "settings": {},
    "secrets": {
      "secretKey": {
        "title": "Secret key",
        "description": "Dashboard, Developers, API keys: the secret key, or a restricted key with write permission for Checkout Sessions, PaymentIntents and Refunds.",
        "pattern": "^(sk|rk)_[0-9A-Za-z_]{1,480}$",
        "allowed": "must start with sk_ or rk_"
      },
      "webhookSecret": {
        "title": "Webhook signing secret",
        "description": "Dashboard, Developers, Webhooks: the signing secret of the endpoint for this account’s webhook URL.",
        "pattern": "^whsec_[0-9A-Za-z+/=_-]{1,480}$",
        "allowed": "must start with whsec_"
      }
    }
  },
  "paytabs": {
    "title": "PayTabs",
    "payType": "cardProcessorB",
    "docs": "https://docs.paytabs.com/",
    "baseUrl": {
      "default": "https://secure.paytabs.sa",
      "description": "Depends on the region of the account: https://secure.paytabs.sa for Saudi Arabia, https://secure.paytabs.com for the United Arab Emirates, https://secure-global.paytabs.com for others."
    },
    "settings": {
      "profileId": {
        "title": "Profile ID",
        "description": "Dashboard, Developers, Key management: the profile ID.",
        "pattern": "^[0-9]{1,12}$",
        "allowed": "must be digits"
      }
    },
    "secrets": {
      "serverKey": {
        "title": "Server key",
        "description": "Dashboard, Developers, Key management: the server key of the profile."
      }
    }
  }
} as const
