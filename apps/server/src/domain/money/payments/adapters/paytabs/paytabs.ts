import { amountStrWithYuan, type PayMethod, type PayType, payMethod, payType } from '@souk/contract'
import { declineReason } from '../declines.ts'
import {
  type Connection,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentReference,
  type ProviderEvent,
  type ProviderResult,
  ProviderUnavailable,
  type RefundOrder,
  type RefundResult,
} from '../port.ts'
import { asObject, type ProviderResponse, sendRequest, unexpectedResponse } from '../request.ts'
import { parseReference, parseSignedBody } from '../signedWebhook.ts'
import { declined, declines } from './declines.ts'

/** Payment methods of its page, by payMethod. */
const methodNames: Record<PayMethod, string> = {
  [payMethod['wallet-a']]: 'googlepay',
  [payMethod['wallet-b']]: 'applepay',
  [payMethod.card]: 'creditcard',
}

/** Error codes: invalid key, invalid request, duplicate cart. */
const keyInvalid = 1
const requestInvalid = 2
const duplicate = 4

/** The fields of a PayTabs transaction that the adapter uses. */
interface Transaction {
  tran_ref: string
  tran_type?: string
  cart_id: string
  cart_currency: string
  cart_amount: string
  tran_currency?: string
  tran_total?: string
  payment_result?: { response_status?: string; response_code?: string; response_message?: string }
  /** The payment method; absent before the first attempt to pay. */
  payment_info?: object
}

/**
 * PayTabs (PT2) with hosted payment pages (ADR 260). The attemptId is the `cart_id` of the sale; refunds have their
 * own. Declines have HTTP status 200. Its API cannot list payments: reports are spreadsheets, whose columns the
 * merchant chooses.
 */
export class PaytabsProvider implements PaymentProvider {
  readonly name = 'paytabs'
  readonly #connection: Connection<'paytabs'>

  constructor(connection: Connection<'paytabs'>) {
    this.#connection = connection
  }

  payTypeOf(): PayType {
    return payType.cardProcessorB
  }

  async create(order: PaymentOrder): Promise<ProviderResult> {
    const { attemptId, tradeNo, amount, currency, description, returnUrl } = order
    const response = await this.#send('/payment/request', {
      tran_type: 'sale',
      tran_class: 'ecom',
      cart_id: attemptId,
      cart_currency: currency,
      cart_amount: amountStrWithYuan(amount),
      cart_description: description?.slice(0, 128) || tradeNo,
      callback: this.#connection.webhookUrl,
      return: returnUrl,
      hide_shipping: true,
      payment_methods: [methodNames[order.payMethod]],
    })
    const { code, tran_ref, redirect_url } = asObject(response.body)
    if (code === duplicate) return this.query({ attemptId, payNo: null })
    if (response.status >= 400) {
      const credentialsRejected = response.status === 401 || response.status === 403 || code === keyInvalid
      return { kind: 'failed', payNo: null, failReasonType: declined, reason: reasonOf(response), credentialsRejected }
    }
    const created = asObject(response.body) as unknown as Transaction
    checkBinding(created, 'sale', attemptId)
    if (typeof redirect_url === 'string') return { kind: 'redirect', payNo: String(tran_ref), url: redirect_url }
    return resultOf(created)
  }

  async query(reference: PaymentReference): Promise<ProviderResult> {
    const transaction = await this.#findTransaction(reference)
    return transaction ? resultOf(transaction) : { kind: 'unknown' }
  }

  /** Queries the state only: pages cannot be closed, so a later payment is refunded (ADR 261). */
  async cancel(reference: PaymentReference): Promise<ProviderResult> {
    const transaction = await this.#findTransaction(reference)
    if (!transaction) return { kind: 'unknown' }
    const result = resultOf(transaction)
    return result.kind === 'pending' && result.pageOpen ? { ...result, kind: 'canceled' } : result
  }

  async refund(reference: PaymentReference, refund: RefundOrder): Promise<RefundResult> {
    const { refundNo, amount, currency } = refund
    const cart_id = `refund-${refundNo}`
    const existing = await this.#find({ cart_id }, 'refund', cart_id)
    if (existing) return refundResultOf(existing, refund)
    const payment = await this.#findTransaction(reference)
    if (!payment) return { kind: 'refused', reason: 'the payment does not exist' }
    const response = await this.#send('/payment/request', {
      tran_type: 'refund',
      tran_class: 'ecom',
      tran_ref: payment.tran_ref,
      cart_id,
      cart_currency: currency,
      cart_amount: amountStrWithYuan(amount),
      cart_description: 'Refund',
    })
    // A concurrent call has created the refund. Repeating this call returns its result.
    if (asObject(response.body).code === duplicate) return { kind: 'pending' }
    if (response.status !== 200) return { kind: 'refused', reason: reasonOf(response) }
    const created = asObject(response.body) as unknown as Transaction
    checkBinding(created, 'refund', cart_id)
    return refundResultOf(created, refund)
  }

  async webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null> {
    const { cart_id, tran_type, tran_ref } = parseSignedBody(
      rawBody,
      headers.signature,
      this.#connection.secrets.serverKey,
    )
    const attemptId = String(tran_type).toLowerCase() === 'sale' ? parseReference(cart_id) : null
    if (attemptId === null || typeof tran_ref !== 'string') return null
    // Webhooks may arrive in any order, so the current state is queried.
    return { attemptId, result: await this.query({ attemptId, payNo: tran_ref }) }
  }

  async #findTransaction({ attemptId, payNo }: PaymentReference): Promise<Transaction | undefined> {
    return this.#find(payNo === null ? { cart_id: attemptId } : { tran_ref: payNo }, 'sale', attemptId)
  }

  /**
   * Finds a transaction; of several with the same cart_id, the most advanced.
   * @throws ProviderUnavailable if one of them has another cart_id or type
   */
  async #find(
    filter: { tran_ref: string } | { cart_id: string },
    type: TransactionType,
    cartId: string,
  ): Promise<Transaction | undefined> {
    const { status, body } = await this.#send('/payment/query', filter)
    const { code, message } = asObject(body)
    if (status === 401 || status === 403 || (typeof code === 'number' && code <= requestInvalid)) {
      throw new ProviderUnavailable(`PayTabs responded with ${status}, ${code}: ${message}`, { mayHaveActed: false })
    }
    const found = [body].flat().map(asObject) as unknown as Transaction[]
    const transactions = found.filter(
      ({ tran_ref, payment_result }) => tran_ref !== undefined && payment_result !== undefined,
    )
    // An empty list or another error code means that none exists. Anything else, such as a proxy's error page, must not
    // cause a second refund.
    const isNone = (Array.isArray(body) && body.length === 0) || typeof code === 'number'
    if (transactions.length === 0 && !isNone) throw unexpectedResponse('PayTabs', `HTTP status ${status}`)
    for (const transaction of transactions) checkBinding(transaction, type, cartId)
    return transactions.sort((a, b) => rankOf(b) - rankOf(a))[0]
  }

  async #send(path: string, body: object): Promise<ProviderResponse> {
    const { egress, settings, secrets } = this.#connection
    const { baseUrl, profileId } = settings
    return sendRequest(egress, {
      provider: this.name,
      method: 'POST',
      url: baseUrl + path,
      body: { profile_id: Number(profileId), ...body },
      headers: { authorization: secrets.serverKey },
    })
  }
}

type TransactionType = 'sale' | 'refund'

/**
 * Checks that a transaction is the one that was asked for: a refund or an authorization is not a payment, nor is that
 * of another cart.
 * @throws ProviderUnavailable
 */
function checkBinding({ tran_type, cart_id }: Transaction, type: TransactionType, cartId: string): void {
  if (cart_id !== cartId) throw unexpectedResponse('PayTabs', 'a transaction with another cart_id')
  if (String(tran_type).toLowerCase() !== type) {
    throw unexpectedResponse('PayTabs', `a transaction of type ${String(tran_type).slice(0, 50)} instead of ${type}`)
  }
}

/** Ranks transactions by progress. */
function rankOf(transaction: Transaction): number {
  const status = transaction.payment_result?.response_status
  return status === 'A' ? 2 : status === 'P' || status === 'H' ? 1 : 0
}

function resultOf(transaction: Transaction): ProviderResult {
  const {
    tran_ref: payNo,
    payment_result,
    payment_info,
    cart_amount,
    cart_currency,
    tran_total,
    tran_currency,
  } = transaction
  const { response_status, response_code, response_message } = payment_result ?? {}
  switch (response_status) {
    case 'A': {
      const amount = centsOf(tran_total ?? cart_amount)
      return { kind: 'succeeded', payNo, amount, currency: tran_currency ?? cart_currency, refunded: null }
    }
    // On hold for review.
    case 'H':
    case 'P':
      return payment_info === undefined ? { kind: 'pending', payNo, pageOpen: true } : { kind: 'pending', payNo }
    case 'D':
    case 'E': {
      const reason = response_code ?? response_message
      const failReasonType = declineReason(declines, declined, payMethod.card, response_code)
      return { kind: 'failed', payNo, failReasonType, ...(reason === undefined ? {} : { reason }) }
    }
    case 'X':
      return { kind: 'expired', payNo }
    case 'C':
    case 'V':
      return { kind: 'canceled', payNo }
    default:
      throw unexpectedResponse('PayTabs', `response_status ${response_status}`)
  }
}

/** @throws ProviderUnavailable if another amount was refunded */
function refundResultOf(transaction: Transaction, { amount, currency }: RefundOrder): RefundResult {
  const { payment_result, cart_amount, cart_currency } = transaction
  if (centsOf(cart_amount) !== amount || cart_currency !== currency) {
    throw unexpectedResponse('PayTabs', 'a refund of another amount')
  }
  const { response_status, response_code, response_message } = payment_result ?? {}
  if (response_status === 'A') return { kind: 'returned' }
  if (response_status === 'P' || response_status === 'H') return { kind: 'pending' }
  // A refund whose state is unknown may have been made.
  if (!['D', 'E', 'X', 'C', 'V'].includes(response_status ?? '')) {
    throw unexpectedResponse('PayTabs', `a refund with the response_status ${response_status}`)
  }
  return { kind: 'refused', reason: response_message ?? response_code ?? 'declined' }
}

/** Converts an amount in major units, such as 12.5 or "1,250.00", to cents without floating-point arithmetic. */
function centsOf(amount: string | number): number {
  const found = /^(\d+)(?:\.(\d{1,2})0*)?$/.exec(String(amount).replaceAll(',', ''))
  if (!found) throw unexpectedResponse('PayTabs', `an amount of ${amount}`)
  return Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
}

function reasonOf({ status, body }: ProviderResponse): string {
  const { code, message } = asObject(body)
  return code === undefined ? `HTTP ${status}` : `${code}: ${message}`
}
