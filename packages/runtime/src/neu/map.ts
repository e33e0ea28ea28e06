import type { Api } from './api.ts'
import { findIn } from './componentScope.ts'

interface Point {
  latitude: number
  longitude: number
}

/** Controls a `map` element. */
export interface MapContext {
  /** Returns `latitude` and `longitude` of the center. */
  getCenterLocation: Api<object, Point>
  /** Moves to a position, by default that of the device. */
  moveToLocation: Api<Partial<Point>, object>
  /** Moves a marker to `destination`, over `duration` ms. */
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
  /** Moves a marker along the points of `path`, over `duration` ms. */
  moveAlong: Api<{ markerId: number | string; path: Point[]; duration?: number }, object>
  /** `padding` is in px, from the top clockwise. */
  includePoints: Api<{ points: Point[]; padding?: number[] }, object>
  /** Returns the visible area: `southwest` and `northeast`. */
  getRegion: Api<object, { southwest: Point; northeast: Point }>
  /** Returns the level of tiles as `scale`. */
  getScale: Api<object, { scale: number }>
  /** Returns `rotate`, always 0: maps do not turn. */
  getRotate: Api<object, { rotate: number }>
  /** Returns `skew`, always 0: maps are flat. */
  getSkew: Api<object, { skew: number }>
  /** Adds `markers`, and with `clear` removes the others. */
  addMarkers: Api<
    { markers: (Point & { id: number | string; [attribute: string]: unknown })[]; clear?: boolean },
    object
  >
  /** Removes the markers of `markerIds`. */
  removeMarkers: Api<{ markerIds: (number | string)[] }, object>
  /** Sets how markers with `joinCluster` are grouped; `gridSize` is in px. */
  initMarkerCluster: Api<{ enableDefaultStyle?: boolean; zoomOnClick?: boolean; gridSize?: number }, object>
  /** Listens to `markerClusterCreate` and `markerClusterClick`. */
  on(type: string, listener: (detail: object) => void): void
  /** Returns the position `x` and `y` of a place on the map, in px. */
  toScreenLocation: Api<Point, { x: number; y: number }>
  /** Returns the place at a position of the map. */
  fromScreenLocation: Api<{ x: number; y: number }, Point>
}

interface MapElement extends HTMLElement {
  context?: Record<string, (options: object) => Promise<object>> & { on: MapContext['on'] }
}

/** Returns the context of the map in a component, by default in the page on top. */
function contextOf(id: string, component: unknown): NonNullable<MapElement['context']> {
  const map = findIn<MapElement>(component, `neu-map[id="${CSS.escape(id)}"]`, 'createMapContext')
  if (!map?.context) throw new Error(`map "${id}" is not found`)
  return map.context
}

/** Adds a listener to a map. */
export const listenToMap = (id: string, component: unknown, ...listener: Parameters<MapContext['on']>): void =>
  contextOf(id, component).on(...listener)

/** Calls a method of a map, without callbacks, so that it returns a promise. */
export async function callMap(id: string, component: unknown, method: string, options: object): Promise<object> {
  return contextOf(id, component)[method]!({
    ...options,
    success: undefined,
    fail: undefined,
    complete: undefined,
  })
}
