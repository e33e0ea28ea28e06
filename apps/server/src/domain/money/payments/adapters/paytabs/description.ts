import type { ProviderDescription } from '@souk/contract'

export const description = {
  title: 'PayTabs',
  payType: 'cardProcessorB',
  docs: 'https://docs.paytabs.com/',
  baseUrl: {
    default: 'https://secure.paytabs.sa',
    description:
      'Depends on the region of the account: https://secure.paytabs.sa for Saudi Arabia, https://secure.paytabs.com for the United Arab Emirates, https://secure-global.paytabs.com for others.',
  },
  settings: {
    profileId: {
      title: 'Profile ID',
      description: 'Dashboard, Developers, Key management: the profile ID.',
      pattern: '^[0-9]{1,12}$',
      allowed: 'must be digits',
    },
  },
  secrets: {
    serverKey: {
      title: 'Server key',
      description: 'Dashboard, Developers, Key management: the server key of the profile.',
    },
  },
} satisfies ProviderDescription
