import type { Address } from './address.ts'

/** What `$router` decides about navigation. Only builds that mention it load it. */
export interface Guards {
  /** Returns the address to open instead, mostly the same one. Throws if a guard stops the navigation. */
  admit(to: Address): Promise<Address>
  /** Ends the navigation that is waiting for a guard. */
  cancel(): void
}
