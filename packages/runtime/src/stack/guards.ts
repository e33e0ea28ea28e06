import type { Address } from './address.ts'

/** Navigation guards of `$router`. Only builds that mention it load them. */
export interface Guards {
  /** Returns the address to open instead, mostly the same one. Throws if a guard stops the navigation. */
  admit(to: Address): Promise<Address>
  /** Calls the hooks because the page that guards redirect to is on top already. */
  stay(to: Address): void
  /** Calls the error listeners because an admitted page cannot be opened. */
  fail(to: Address, error: unknown): void
  /** Returns true if hooks or error listeners were called with the error, or it was reported. */
  hasHandled(error: unknown): boolean
  /** Ends the navigation that is waiting for a guard. */
  cancel(): void
}

/** Reports why a page that the user wants to see does not open, unless `$router` has handled it. */
export function reportUnhandled({ guards }: { guards?: Guards }, error: unknown): void {
  if (!guards?.hasHandled(error)) reportError(error)
}
