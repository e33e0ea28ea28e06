import type { Egress } from '../../../../kernel/egress.ts'
import {
  type Dispute,
  type PaidPayment,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderResult,
  ProviderUnavailable,
  type RefundResult,
  WebhookRejected,
} from './port.ts'
import { unexpectedResponse } from './request.ts'

/** Longest ID of a provider, characters. It is stored, and shown to mini apps and merchants. */
const maxId = 255
/** Longest reason that is stored, characters. */
const maxReason = 500
/** Longest URL of a payment page, characters. */
const maxUrl = 8192
const maxPrompt = 1000

/**
 * Wraps an adapter so that it never returns what a payment cannot have: IDs, currencies and amounts of another form,
 * and pages that payers must not be sent to, such as a `javascript:` URL. Pages are https; plain http is for hosts that
 * Souk itself may reach by http, such as fake providers in a sandbox.
 *
 * Methods throw `ProviderUnavailable` instead of returning such a result, and `WebhookRejected` for a webhook whose
 * fields have other types than the provider documents.
 */
export function withCheckedResults(provider: PaymentProvider, egress: Pick<Egress, 'allowsPrivate'>): PaymentProvider {
  const { name } = provider
  const checked = (result: ProviderResult): ProviderResult => {
    if ('payNo' in result && result.payNo !== null) checkId(name, result.payNo)
    if (result.kind === 'redirect') checkPage(name, result.url, egress)
    if (result.kind === 'challenge') return { ...result, prompt: result.prompt.slice(0, maxPrompt) }
    if (result.kind === 'failed' && result.reason !== undefined) return { ...result, reason: shorten(result.reason) }
    if (result.kind === 'succeeded') {
      checkAmount(name, result.amount)
      checkCurrency(name, result.currency)
      if (result.refunded !== null) checkAmount(name, result.refunded)
    }
    return result
  }
  const checkedRefund = (result: RefundResult): RefundResult =>
    result.kind === 'refused' ? { ...result, reason: shorten(result.reason) } : result
  const checkedDispute = (dispute: Dispute): Dispute => {
    checkId(name, dispute.disputeNo)
    checkAmount(name, dispute.amount)
    checkCurrency(name, dispute.currency)
    return { ...dispute, state: shorten(dispute.state), reason: dispute.reason && shorten(dispute.reason) }
  }
  const checkedEvent = ({ attemptId, result, failedRefund, dispute }: ProviderEvent): ProviderEvent => ({
    attemptId,
    result: checked(result),
    ...(failedRefund && { failedRefund: { ...failedRefund, reason: shorten(failedRefund.reason) } }),
    ...(dispute && { dispute: checkedDispute(dispute) }),
  })
  const checkedPayment = (payment: PaidPayment): PaidPayment => {
    checkId(name, payment.payNo)
    checkAmount(name, payment.amount)
    checkCurrency(name, payment.currency)
    return payment
  }
  return {
    name,
    payTypeOf: (order) => provider.payTypeOf(order),
    create: async (order) => checked(await provider.create(order)),
    query: async (payment) => checked(await provider.query(payment)),
    cancel: async (payment) => checked(await provider.cancel(payment)),
    ...(provider.listPaid && {
      listPaid: async (period) => (await provider.listPaid!(period)).map(checkedPayment),
    }),
    refund: async (payment, refund) => checkedRefund(await provider.refund(payment, refund)),
    webhook: async (rawBody, headers) => {
      const event = await provider.webhook(rawBody, headers).catch((error: unknown) => {
        // A field of another type than documented.
        if (error instanceof TypeError)
          throw new WebhookRejected('The webhook has another form than documented.', { cause: error })
        throw error
      })
      return event && checkedEvent(event)
    },
  }
}

function checkId(name: string, id: unknown): void {
  if (typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) && id.length <= maxId) return
  const shown = typeof id === 'string' ? `${id.length} characters` : typeof id
  throw unexpectedResponse(name, `an ID of ${shown}; at most ${maxId} printable ones are allowed`)
}

function checkAmount(name: string, amount: unknown): void {
  if (Number.isSafeInteger(amount) && (amount as number) >= 0) return
  throw unexpectedResponse(name, `an amount of ${shorten(String(amount))}; whole cents are allowed`)
}

function checkCurrency(name: string, currency: unknown): void {
  if (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)) return
  throw unexpectedResponse(name, `the currency ${shorten(String(currency))}; three letters are allowed`)
}

const shorten = (text: unknown) => String(text).slice(0, maxReason)

function checkPage(name: string, url: string, egress: Pick<Egress, 'allowsPrivate'>): void {
  const page = url.length <= maxUrl && URL.canParse(url) ? new URL(url) : undefined
  if (page?.protocol === 'https:') return
  if (page?.protocol === 'http:' && egress.allowsPrivate(page.hostname)) return
  throw new ProviderUnavailable(
    `Unexpected response from ${name}: the payment page is ${page ? `an ${page.protocol} URL` : 'not a URL'}; https is required, or http for a host in SOUK_PRIVATE_HOSTS`,
    { mayHaveActed: true },
  )
}
