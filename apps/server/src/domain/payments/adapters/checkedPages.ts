import type { Egress } from '../../../kernel/egress.ts'
import { type PaymentProvider, type ProviderResult, ProviderUnavailable } from './port.ts'

/**
 * Wraps an adapter so that it never returns a page that payers must not be sent to, such as a `javascript:` URL. Pages
 * are https; plain http is for hosts that Souk itself may reach by http, such as fake providers in a sandbox.
 *
 * Methods throw `ProviderUnavailable` instead of returning such a result.
 */
export function withCheckedPages(provider: PaymentProvider, egress: Pick<Egress, 'allowsPrivate'>): PaymentProvider {
  const checked = (result: ProviderResult): ProviderResult => {
    if (result.kind === 'redirect') checkPage(provider.name, result.url, egress)
    return result
  }
  return {
    name: provider.name,
    payTypeOf: (order) => provider.payTypeOf(order),
    create: async (order) => checked(await provider.create(order)),
    query: async (payment) => checked(await provider.query(payment)),
    cancel: async (payment) => checked(await provider.cancel(payment)),
    ...(provider.listPaid && { listPaid: (period) => provider.listPaid!(period) }),
    refund: (payment, refund) => provider.refund(payment, refund),
    webhook: async (rawBody, headers) => {
      const event = await provider.webhook(rawBody, headers)
      if (event) checked(event.result)
      return event
    },
  }
}

function checkPage(name: string, url: string, egress: Pick<Egress, 'allowsPrivate'>): void {
  const page = URL.canParse(url) ? new URL(url) : undefined
  if (page?.protocol === 'https:') return
  if (page?.protocol === 'http:' && egress.allowsPrivate(page.hostname)) return
  throw new ProviderUnavailable(
    `Unexpected response from ${name}: the payment page is ${page ? `an ${page.protocol} URL` : 'not a URL'}; https is required, or http for a host in SOUK_PRIVATE_HOSTS`,
    { mayHaveActed: true },
  )
}
