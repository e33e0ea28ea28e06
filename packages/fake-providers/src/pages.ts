import { cards, isCardNumber, type Method, type Payment, type PaymentBook } from './paymentBook.ts'
import type { Reply, Request, Route } from './server.ts'
import { directionOf, type Texts, textsFor } from './texts.ts'

interface PageOptions {
  title: string
  returnsByPost: boolean
}

/** Routes of the pages that payers see: payment, 3-D Secure, and the return to the merchant. */
export function pageRoutes(book: PaymentBook, options: PageOptions): Route[] {
  const page = (method: 'GET' | 'POST', pattern: string, handle: (context: PageContext) => Reply): Route => ({
    kind: 'page',
    method,
    pattern,
    handle: (request: Request) => {
      const { texts, language } = textsFor(request.query.get('lang'), request.headers['accept-language'])
      const show: Show = (title, main, status = 200) => ({
        status,
        headers: { 'content-security-policy': policy, 'cache-control': 'no-store' },
        body: document({
          title: `${title} · ${options.title}`,
          main,
          language,
          heading: options.title,
          note: texts.notice,
        }),
      })
      const payment = book.find(request.params.id!)
      if (!payment) return show(texts.notFound, `<p>${texts.notFound}</p>`, 404)
      return handle({ payment, texts, form: new URLSearchParams(request.body), show })
    },
  })
  return [
    page('GET', '/pay/:id', (context) => showPayment(context, options)),
    page('POST', '/pay/:id', (context) => {
      const { payment, form, texts } = context
      const method = payment.methods.find((each) => each === form.get('method'))
      const number = (form.get('number') ?? '').replace(/\s/g, '')
      if (form.has('leave')) {
        book.leavePage(payment)
        return redirect(context, options, payment.redirectUrls.cancel)
      }
      if (!method) return showPayment(context, options)
      if (method === 'card' && !isCardNumber(number)) return showPayment(context, options, texts.wrongNumber)
      book.pay(payment, method, method === 'card' ? (cards[number] ?? 'approved') : 'approved')
      return afterAction(context, options)
    }),
    page('POST', '/pay/:id/challenge', (context) => {
      book.answerChallenge(context.payment, context.form.has('pass'))
      return afterAction(context, options)
    }),
  ]
}

type Show = (title: string, main: string, status?: number) => Reply

interface PageContext {
  payment: Payment
  texts: Texts
  form: URLSearchParams
  show: Show
}

/** Returns the page or redirect that follows an action of the payer. */
function afterAction(context: PageContext, options: PageOptions): Reply {
  const { payment } = context
  switch (payment.state) {
    case 'paid':
    case 'processing':
      return redirect(context, options, payment.redirectUrls.success)
    case 'declined':
      return redirect(context, options, payment.redirectUrls.failure)
    case 'canceled':
      return redirect(context, options, payment.redirectUrls.cancel)
    default:
      return showPayment(context, options)
  }
}

function redirect({ payment, texts, show }: PageContext, { returnsByPost }: PageOptions, url: string): Reply {
  if (!returnsByPost) return { status: 303, headers: { location: url }, body: '' }
  const fields = hidden({
    tranRef: payment.pageId,
    cartId: payment.reference,
    respStatus: payment.state[0]!.toUpperCase(),
  })
  return show(
    texts.back,
    `<form method="post" action="${escapeHtml(url)}" id="back">${fields}
      <button class="main">${texts.back}</button></form>
    <script>document.getElementById('back').submit()</script>`,
  )
}

function showPayment(context: PageContext, options: PageOptions, error?: string): Reply {
  const { payment, texts, show } = context
  if (payment.state === 'challenge') return showChallenge(context)
  if (payment.state !== 'open') {
    const url = payment.state === 'paid' ? payment.redirectUrls.success : payment.redirectUrls.cancel
    const state = texts.states[payment.state]
    const back = options.returnsByPost ? '' : `<p><a href="${escapeHtml(url)}">${texts.back}</a></p>`
    return show(state, `<h1>${state}</h1>${back}`)
  }
  const declined = payment.declineReason ? texts.declines[payment.declineReason] : undefined
  const alert = (error ?? declined) && `<p class="alert" role="alert">${error ?? declined}</p>`
  const wallets = payment.methods.filter((method) => method !== 'card')
  const card = payment.methods.includes('card') ? cardForm(texts) : ''
  return show(
    texts.pay,
    `<h1><span class="muted">${escapeHtml(payment.description)}</span>
      <span class="amount"><bdi>${money(payment)}</bdi></span></h1>
    ${alert ?? ''}
    ${wallets.map((wallet) => walletForm(wallet)).join('')}
    ${wallets.length > 0 && card ? `<p class="or">${texts.or}</p>` : ''}
    ${card}
    <form method="post"><button name="leave" value="1" class="plain">${texts.leave}</button></form>`,
  )
}

const walletNames: Record<Exclude<Method, 'card'>, string> = { googlepay: 'Google Pay', applepay: 'Apple Pay' }

function walletForm(wallet: Exclude<Method, 'card'>): string {
  return `<form method="post">${hidden({ method: wallet })}<button class="wallet">${walletNames[wallet]}</button></form>`
}

function cardForm(texts: Texts): string {
  const testCards = Object.entries(cards).map(
    ([number, outcome]) =>
      `<li><code dir="ltr">${number.replace(/(\d{4})(?=\d)/g, '$1 ')}</code> <span>${texts.outcomes[outcome]}</span></li>`,
  )
  return `<form method="post">${hidden({ method: 'card' })}
      <label>${texts.number}<input name="number" inputmode="numeric" autocomplete="off" dir="ltr" required autofocus></label>
      <div class="pair">
        <label>${texts.expiry}<input name="expiry" value="12/40" autocomplete="off" dir="ltr"></label>
        <label>${texts.cvc}<input name="cvc" value="123" inputmode="numeric" autocomplete="off" dir="ltr"></label>
      </div>
      <button class="main">${texts.pay}</button>
    </form>
    <details><summary>${texts.testCards}</summary><ul>${testCards.join('')}</ul></details>`
}

function showChallenge({ payment, texts, show }: PageContext): Reply {
  return show(
    texts.challenge,
    `<h1>${texts.challenge}</h1><p>${texts.challengeText} <span class="amount"><bdi>${money(payment)}</bdi></span></p>
    <form method="post" action="/pay/${payment.pageId}/challenge">
      <button name="pass" value="1" class="main">${texts.confirm}</button>
      <button name="decline" value="1" class="plain">${texts.decline}</button>
    </form>`,
  )
}

function money({ amount, currency }: Payment): string {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')} ${escapeHtml(currency)}`
}

function hidden(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

const style = `
:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #16191d; --soft: #545d69; --line: #8b94a1;
  --main: #0b5f4a; --on-main: #fff; --alert: #a3231b; --alert-ground: #fdecea }
@media (prefers-color-scheme: dark) { :root { --ground: #101316; --card: #1a1f24; --ink: #eef1f4; --soft: #b0b9c4;
  --line: #6e7885; --main: #6fd3b3; --on-main: #06251c; --alert: #ffb4ab; --alert-ground: #3b1512 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 26rem; margin: 2rem auto; padding: 1.5rem; background: var(--card); border-radius: 1rem }
header, footer { max-width: 26rem; margin: 1.5rem auto; padding: 0 1.5rem; color: var(--soft) }
header { font-weight: 600 }
h1 { margin: 0 0 1rem; font-size: 1.1rem }
h1 .muted { display: block; color: var(--soft); font-weight: 400; overflow-wrap: anywhere }
.amount { display: block; font-size: 1.6rem; font-weight: 700 }
.alert { padding: .75rem 1rem; border-radius: .5rem; color: var(--alert); background: var(--alert-ground) }
.or { text-align: center; color: var(--soft) }
form { margin-block: .75rem }
label { display: block; margin-block: .75rem; color: var(--soft) }
input { display: block; width: 100%; margin-block-start: .25rem; padding: .7rem; font: inherit; color: var(--ink);
  background: transparent; border: 1px solid var(--line); border-radius: .5rem }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem }
button { display: block; width: 100%; min-height: 3rem; margin-block: .5rem; padding: .7rem; font: inherit; font-weight: 600;
  border-radius: .5rem; border: 1px solid var(--line); color: var(--ink); background: transparent; cursor: pointer }
button.main { color: var(--on-main); background: var(--main); border-color: var(--main) }
button.wallet { color: var(--card); background: var(--ink); border-color: var(--ink) }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
a { color: var(--main) }
details { margin-block: 1rem; color: var(--soft) }
ul { padding: 0; list-style: none }
li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; margin-block: .5rem }
@media (max-width: 28rem) { main { margin-block: 0; border-radius: 0 } }`

interface Document {
  title: string
  heading: string
  main: string
  note: string
  language: string
}

function document({ title, heading, main, note, language }: Document): string {
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><header>${escapeHtml(heading)}</header><main>${main}</main><footer>${note}</footer></body>
</html>`
}
