// biome-ignore-all assist/source/organizeImports: lists of providers are in this order.
// External payment providers, a line for each. See "Adding a payment provider" in ARCHITECTURE.md.
export { CheckoutProvider as checkout } from './checkout/checkout.ts'
export { StripeProvider as stripe } from './stripe/stripe.ts'
export { PaytabsProvider as paytabs } from './paytabs/paytabs.ts'
