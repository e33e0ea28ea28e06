import * as L from 'leaflet'

/** A position, in degrees (WGS 84). */
export interface Point {
  /** In degrees. */
  latitude: number
  /** In degrees. */
  longitude: number
}

/** Throws an `Error` if the position of a page lacks a number. */
export function toLatLng({ latitude, longitude }: Point): L.LatLng {
  // Empty texts and null would become 0.
  const [lat, lng] = [latitude, longitude].map((value) => Number.parseFloat(String(value))) as [number, number]
  if (Number.isNaN(lat + lng)) throw new Error('latitude and longitude must be numbers')
  return L.latLng(lat, lng)
}

export const toPoint = ({ lat, lng }: L.LatLng): Point => ({ latitude: lat, longitude: lng })

/** Draws what a page gave. Values that cannot be drawn yet are warned about, so that the rest is drawn. */
export function tryToDraw(draw: () => void): void {
  try {
    draw()
  } catch (error) {
    console.warn(`map: ${(error as Error).message}`)
  }
}
