import type { Address } from './address.ts'

/** Navigation guards of `$router`. Only builds that mention it load them. */
export interface Guards {
  /** Returns the address to open instead, mostly the same one. Throws if a guard stops the navigation. */
  admit(to: Address): Promise<Address>
  /** Ends the navigation that is waiting for a guard. */
  cancel(): void
}
