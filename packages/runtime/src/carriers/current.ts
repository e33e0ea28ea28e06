import type { Carrier } from '../carrier.ts'

let carrier: Carrier | undefined

/** Of the one app that runs here; set before any module of the project runs. */
export function setCarrier(value: Carrier): void {
  carrier = value
}

/** Where the app runs. Throws before the app was created. */
export function currentCarrier(): Carrier {
  if (!carrier) throw new Error('the app has not been created yet')
  return carrier
}
