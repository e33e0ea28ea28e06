import type { Carrier } from './carrier.ts'

let carrier: Carrier | undefined

/** Sets the carrier of the only app in this document, before any module of the project runs. */
export function setCarrier(value: Carrier): void {
  carrier = value
}

/** Returns the current carrier. Throws before the app was created. */
export function currentCarrier(): Carrier {
  if (!carrier) throw new Error('the app has not been created yet')
  return carrier
}
