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
import { asObject, type ProviderAnswer, sendRequest, unexpectedResponse } from '../request.ts'
import { parseReference, verifySignedBody } from '../signedWebhook.ts'
import { declined, declines } from './declines.ts'

/** What its page offers, by payMethod. */
const offered: Record<PayMethod, string> = {
  [payMethod['wallet-a']]: 'googlepay',
  [payMethod['wallet-b']]: 'applepay',
  [payMethod.card]: 'creditcard',
}

/** The key is wrong, or the request. */
const keyInvalid = 1
const requestInvalid = 2
/** PayTabs has a transaction of this cart already. */
const duplicate = 4

/** A transaction of PayTabs, as far as it is looked at. */
interface Transaction {
  tran_ref: string
  cart_currency: string
  cart_amount: string
  tran_currency?: string
  tran_total?: string
  payment_result?: { response_status?: string; response_code?: string; response_message?: string }
  /** How it was paid: absent as long as nobody has tried. */
  payment_info?: object
}

/**
 * PayTabs (PT2), by its hosted payment page (ADR 260). The attempt is the `cart_id` of the sale, and a refund has one of
 * its own number. Declines come with HTTP 200.
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
    const answer = await this.#send('/payment/request', {
      tran_type: 'sale',
      tran_class: 'ecom',
      cart_id: attemptId,
      cart_currency: currency,
      cart_amount: amountStrWithYuan(amount),
      cart_description: description?.slice(0, 128) || tradeNo,
      callback: this.#connection.webhookUrl,
      return: returnUrl,
      hide_shipping: true,
      payment_methods: [offered[order.payMethod]],
    })
    const { code, tran_ref, redirect_url } = asObject(answer.body)
    if (code === duplicate) return this.query({ attemptId, payNo: null })
    if (answer.status >= 400) {
      const credentialsRejected = answer.status === 401 || answer.status === 403 || code === keyInvalid
      return { kind: 'failed', payNo: null, failReasonType: declined, reason: reasonOf(answer), credentialsRejected }
    }
    if (typeof redirect_url === 'string') return { kind: 'redirect', payNo: String(tran_ref), url: redirect_url }
    return resultOf(asObject(answer.body) as unknown as Transaction)
  }

  async query(reference: PaymentReference): Promise<ProviderResult> {
    const transaction = await this.#transactionOf(reference)
    return transaction ? resultOf(transaction) : { kind: 'unknown' }
  }

  /** A page cannot be withdrawn. What is paid there later goes back (ADR 260). */
  async cancel(reference: PaymentReference): Promise<ProviderResult> {
    const transaction = await this.#transactionOf(reference)
    if (!transaction) return { kind: 'unknown' }
    const result = resultOf(transaction)
    return result.kind === 'pending' && result.pageOpen ? { ...result, kind: 'canceled' } : result
  }

  async refund(reference: PaymentReference, refund: RefundOrder): Promise<RefundResult> {
    const { refundNo, amount, currency } = refund
    const cart_id = `refund-${refundNo}`
    const before = await this.#find({ cart_id })
    if (before) return refundResultOf(before)
    const payment = await this.#transactionOf(reference)
    if (!payment) return { kind: 'refused', reason: 'there is no such payment' }
    const answer = await this.#send('/payment/request', {
      tran_type: 'refund',
      tran_class: 'ecom',
      tran_ref: payment.tran_ref,
      cart_id,
      cart_currency: currency,
      cart_amount: amountStrWithYuan(amount),
      cart_description: 'Refund',
    })
    // Another call was faster; what became of it is seen when this one is repeated.
    if (asObject(answer.body).code === duplicate) return { kind: 'pending' }
    if (answer.status !== 200) return { kind: 'refused', reason: reasonOf(answer) }
    return refundResultOf(asObject(answer.body) as unknown as Transaction)
  }

  async webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null> {
    const { cart_id, tran_type, tran_ref } = verifySignedBody(
      rawBody,
      headers.signature,
      this.#connection.secrets.serverKey,
    )
    const attemptId = String(tran_type).toLowerCase() === 'sale' ? parseReference(cart_id) : null
    if (attemptId === null || typeof tran_ref !== 'string') return null
    // The message says that something happened; what holds now is asked, so that messages may come in any order.
    return { attemptId, result: await this.query({ attemptId, payNo: tran_ref }) }
  }

  async #transactionOf({ attemptId, payNo }: PaymentReference): Promise<Transaction | undefined> {
    return this.#find(payNo === null ? { cart_id: attemptId } : { tran_ref: payNo })
  }

  /** Where PayTabs lists several transactions of a cart, the one that has got furthest. */
  async #find(wanted: { tran_ref: string } | { cart_id: string }): Promise<Transaction | undefined> {
    const { status, body } = await this.#send('/payment/query', wanted)
    const { code, message } = asObject(body)
    if (status === 401 || status === 403 || (typeof code === 'number' && code <= requestInvalid)) {
      throw new ProviderUnavailable(`PayTabs answers ${status}, ${code}: ${message}`, { mayHaveActed: false })
    }
    const found = [body].flat().map(asObject) as unknown as Transaction[]
    const known = found.filter(({ tran_ref, payment_result }) => tran_ref !== undefined && payment_result !== undefined)
    // No transactions, or any other code of its own, says that there is none. A page of a proxy says nothing, and must not
    // let a refund be made a second time.
    const isNone = (Array.isArray(body) && body.length === 0) || typeof code === 'number'
    if (known.length === 0 && !isNone) throw unexpectedResponse('PayTabs', `an answer with HTTP ${status}`)
    return known.sort((a, b) => rankOf(b) - rankOf(a))[0]
  }

  async #send(path: string, body: object): Promise<ProviderAnswer> {
    const { egress, settings, secrets } = this.#connection
    const { baseUrl, profileId } = settings
    return sendRequest(egress, {
      method: 'POST',
      url: baseUrl + path,
      body: { profile_id: Number(profileId), ...body },
      headers: { authorization: secrets.serverKey },
    })
  }
}

/** How far a transaction has got. */
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
    // On hold for a closer look, and not decided yet.
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

function refundResultOf({ payment_result }: Transaction): RefundResult {
  const { response_status, response_code, response_message } = payment_result ?? {}
  if (response_status === 'A') return { kind: 'returned' }
  if (response_status === 'P' || response_status === 'H') return { kind: 'pending' }
  return { kind: 'refused', reason: response_message ?? response_code ?? 'declined' }
}

/** Cents of an amount in major units, such as 12.5 or "1,250.00", without the rounding of floating point. */
function centsOf(amount: string | number): number {
  const found = /^(\d+)(?:\.(\d{1,2})0*)?$/.exec(String(amount).replaceAll(',', ''))
  if (!found) throw unexpectedResponse('PayTabs', `an amount of ${amount}`)
  return Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
}

function reasonOf({ status, body }: ProviderAnswer): string {
  const { code, message } = asObject(body)
  return code === undefined ? `HTTP ${status}` : `${code}: ${message}`
}
