import { startCheckout, startPaytabs, startStripe } from '@souk/fake-providers'

// The fake providers, in a process that is not killed.
const options = { host: process.argv[2] ?? '127.0.0.1' }
const [checkout, stripe, paytabs] = await Promise.all([
  startCheckout(options),
  startStripe(options),
  startPaytabs(options),
])
process.send?.({ checkout: checkout.url, stripe: stripe.url, paytabs: paytabs.url })
process.once('disconnect', () => process.exit())
