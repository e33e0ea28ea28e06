// Generated from the folders in apps/server/src/domain/money/payments/adapters by npm run generate.
import { account as checkout } from './checkout.ts'
import { account as stripe } from './stripe.ts'
import { account as paytabs } from './paytabs.ts'

/** Fake providers by name, in the order of their ports. */
export const fakeProviders = { checkout, stripe, paytabs }
