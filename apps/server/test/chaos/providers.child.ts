import { startCheckout, startPaytabs, startStripe } from '@souk/fake-providers'

// The fake providers, in a process that is not killed.
const [checkout, stripe, paytabs] = await Promise.all([startCheckout(), startStripe(), startPaytabs()])
process.send?.({ checkout: checkout.url, stripe: stripe.url, paytabs: paytabs.url })
process.once('disconnect', () => process.exit())
