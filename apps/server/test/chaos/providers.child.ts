import { startCheckout, startPaytabs, startStripe } from '@souk/fake-providers'

// The local providers in a process of their own: what is on their books outlives every server.
const [checkout, stripe, paytabs] = await Promise.all([startCheckout(), startStripe(), startPaytabs()])
process.send?.({ checkout: checkout.url, stripe: stripe.url, paytabs: paytabs.url })
process.once('disconnect', () => process.exit())
