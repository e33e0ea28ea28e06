import type { Api } from './api.ts'

interface Point {
  latitude: number
  longitude: number
}

/** Controls a `map` element. */
export interface MapContext {
  getCenterLocation: Api<object, Point>
  /** Without a position, moves to where the device is. */
  moveToLocation: Api<Partial<Point>, object>
  translateMarker: Api<
    {
      markerId: number | string
      destination: Point
      rotate?: number
      /** In ms. */
      duration?: number
      animationEnd?: () => void
    },
    object
  >
  moveAlong: Api<{ markerId: number | string; path: Point[]; duration?: number }, object>
  /** `padding` is in px, from the top clockwise. */
  includePoints: Api<{ points: Point[]; padding?: number[] }, object>
  getRegion: Api<object, { southwest: Point; northeast: Point }>
  getScale: Api<object, { scale: number }>
  getRotate: Api<object, { rotate: number }>
  getSkew: Api<object, { skew: number }>
  addMarkers: Api<
    { markers: (Point & { id: number | string; [attribute: string]: unknown })[]; clear?: boolean },
    object
  >
  removeMarkers: Api<{ markerIds: (number | string)[] }, object>
  toScreenLocation: Api<Point, { x: number; y: number }>
  fromScreenLocation: Api<{ x: number; y: number }, Point>
}

interface MapElement extends HTMLElement {
  context?: Record<string, (options: object) => Promise<object>>
}

/** Calls a method of a map, without callbacks, so that it returns a promise. */
export async function callMap(id: string, method: string, options: object): Promise<object> {
  const map = document.querySelector<MapElement>(`neu-page-window:not([inert]) neu-map[id="${CSS.escape(id)}"]`)
  if (!map?.context) throw new Error(`map "${id}" is not found`)
  return map.context[method]!({ ...options, success: undefined, fail: undefined, complete: undefined })
}
