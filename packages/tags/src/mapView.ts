import 'leaflet/dist/leaflet.css'
import * as L from 'leaflet'
import type { MapTiles } from './host.ts'
import { MapCallouts } from './mapCallouts.ts'
import { createGrid } from './mapGrid.ts'
import { MapMarkers } from './mapMarkers.ts'
import { type Point, toLatLng, toPoint, tryToDraw } from './mapPoint.ts'
import { drawShapes, type Shapes } from './mapShapes.ts'
import type { Marker } from './markerElement.ts'
import './mapView.css'
import { isMotionReduced } from './root.ts'

export type { Point } from './mapPoint.ts'
export type { Circle, Polygon, Polyline } from './mapShapes.ts'
export type { Marker } from './markerElement.ts'

/** Options of a method of the map's context, besides its callbacks. */
export type MapMethodOptions = Record<string, unknown>

type Methods = Record<string, (options: MapMethodOptions) => object | undefined | Promise<object | undefined>>

interface Surroundings {
  /** Undefined if no tile server is configured. */
  tiles: MapTiles | undefined
  urlOf(path: string): string
  /** Asks the user for the position of the device. */
  locate(): Promise<Point>
  emit(type: string, detail: object): void
}

interface Limits {
  minScale: number
  maxScale: number
  canZoom: boolean
  canScroll: boolean
}

/** A map in an element, whose size may change. */
export class MapView {
  readonly #map: L.Map
  readonly #around: Surroundings
  readonly #markers: MapMarkers
  readonly #callouts: MapCallouts | undefined
  readonly #shapes: L.LayerGroup
  readonly #size: ResizeObserver
  #location: L.CircleMarker | undefined
  #isLocationShown = false
  /** Points to show as soon as the map has a size. */
  #awaitedPoints: readonly Point[] = []
  /** True if the next move was started by the page, not by a gesture. */
  #isMovedByPage = false

  constructor(element: HTMLElement, around: Surroundings) {
    // Scales may have fractions, as after a pinch.
    const map = L.map(element, { zoomControl: false, attributionControl: false, zoomSnap: 0, worldCopyJump: true })
    this.#map = map
    this.#around = around
    addBackground(map, around.tiles)
    this.#shapes = L.layerGroup().addTo(map)
    this.#markers = new MapMarkers(map, { ...around, onChange: () => this.#callouts?.place() })
    this.#callouts = new MapCallouts(map, element, this.#markers, around)
    // Before the first view there is no region to report.
    map.whenReady(() => {
      // No end of a move resets it after the first view.
      this.#isMovedByPage = false
      this.#reportMoves()
    })
    map.on('click', ({ latlng }) => {
      this.#markers.closeCallout()
      around.emit('tap', toPoint(latlng))
    })
    this.#size = new ResizeObserver(() => {
      map.invalidateSize({ animate: false })
      if (!this.#isHidden()) this.includePoints(this.#awaitedPoints)
    })
    this.#size.observe(element)
  }

  /** Moves to the position, at a scale. */
  show(center: Point, scale: number): void {
    this.#awaitedPoints = []
    tryToDraw(() => {
      const position = toLatLng(center)
      this.#move(() => this.#map.setView(position, scale, animation()))
    })
  }

  /** Moves to the position, at the same scale. */
  panTo(center: Point): void {
    this.#move(() => this.#map.panTo(toLatLng(center), animation()))
  }

  setLimits({ minScale, maxScale, canZoom, canScroll }: Limits): void {
    const map = this.#map
    map.setMinZoom(minScale).setMaxZoom(maxScale)
    for (const handler of [map.scrollWheelZoom, map.doubleClickZoom, map.touchZoom, map.boxZoom])
      enable(handler, canZoom)
    enable(map.dragging, canScroll)
    enable(map.keyboard, canScroll && canZoom)
  }

  setMarkers(markers: readonly Marker[]): void {
    this.#markers.set(markers)
  }

  setShapes(shapes: Shapes): void {
    drawShapes(this.#shapes, shapes, this.#around.urlOf)
  }

  includePoints(points: readonly Point[]): void {
    this.#awaitedPoints = this.#isHidden() ? points : []
    tryToDraw(() => this.#include(points))
  }

  /** Shows the position of the device, or hides it. */
  showLocation(isShown: boolean): void {
    this.#isLocationShown = isShown
    this.#location?.remove()
    if (isShown) this.#drawLocation().catch((error: Error) => console.warn(`map: ${error.message}`))
  }

  /** The methods of the map's context. They throw an `Error` for options that they cannot use. */
  readonly methods: Methods = {
    getCenterLocation: () => toPoint(this.#map.getCenter()),
    getRegion: () => this.#region(),
    getScale: () => ({ scale: this.#map.getZoom() }),
    getRotate: () => ({ rotate: 0 }),
    getSkew: () => ({ skew: 0 }),
    moveToLocation: async (options) => {
      const isGiven = options.latitude !== undefined || options.longitude !== undefined
      const target = isGiven ? toLatLng(options as unknown as Point) : await this.#drawLocation()
      this.panTo(toPoint(target))
      return undefined
    },
    translateMarker: async (options) => {
      const { destination, duration = 1000, animationEnd } = options
      await this.#moveMarker(options, [toLatLng(Object(destination))], Number(duration))
      if (typeof animationEnd === 'function') animationEnd()
      return undefined
    },
    moveAlong: (options) => {
      const { path, duration = 1000 } = options
      if (!Array.isArray(path) || path.length === 0) throw new Error('path must be a list of points')
      return this.#moveMarker(options, path.map(toLatLng), Number(duration))
    },
    includePoints: ({ points, padding }) => {
      if (!Array.isArray(points)) throw new Error('points must be a list of points')
      this.#include(points, Array.isArray(padding) ? padding : [])
      return undefined
    },
    addMarkers: ({ markers, clear }) => {
      if (!Array.isArray(markers)) throw new Error('markers must be a list of markers')
      if (clear) this.#markers.clear()
      this.#markers.addAll(markers)
      return undefined
    },
    removeMarkers: ({ markerIds }) => {
      if (!Array.isArray(markerIds)) throw new Error('markerIds must be a list of ids')
      this.#markers.removeAll(markerIds.map(String))
      return undefined
    },
    initMarkerCluster: (options) => {
      this.#markers.cluster(options)
      return undefined
    },
    toScreenLocation: (options) => {
      const { x, y } = this.#map.latLngToContainerPoint(toLatLng(options as unknown as Point))
      return { x, y }
    },
    fromScreenLocation: ({ x, y }) => toPoint(this.#map.containerPointToLatLng([Number(x), Number(y)])),
  }

  destroy(): void {
    this.#size.disconnect()
    this.#callouts?.destroy()
    this.#markers.clear()
    this.#map.remove()
  }

  #move(run: () => void): void {
    this.#isMovedByPage = true
    run()
  }

  #isHidden(): boolean {
    const { x, y } = this.#map.getSize()
    return x === 0 || y === 0
  }

  #region() {
    const bounds = this.#map.getBounds()
    return { southwest: toPoint(bounds.getSouthWest()), northeast: toPoint(bounds.getNorthEast()) }
  }

  #reportMoves(): void {
    const map = this.#map
    let startScale = 0
    let isDragged = false
    const report = (type: 'begin' | 'end', gesture: string) =>
      this.#around.emit('regionchange', {
        type,
        causedBy: this.#isMovedByPage ? 'update' : gesture,
        rotate: 0,
        skew: 0,
        scale: map.getZoom(),
        centerLocation: toPoint(map.getCenter()),
        region: this.#region(),
      })
    map.on('dragstart', () => {
      isDragged = true
      this.#isMovedByPage = false
    })
    map.on('movestart', () => {
      startScale = map.getZoom()
      report('begin', 'gesture')
    })
    map.on('moveend', () => {
      report('end', map.getZoom() === startScale && isDragged ? 'drag' : 'scale')
      this.#isMovedByPage = false
      isDragged = false
    })
  }

  async #moveMarker({ markerId, rotate }: MapMethodOptions, path: readonly L.LatLng[], duration: number) {
    const key = String(markerId)
    if (typeof rotate === 'number') this.#markers.rotate(key, rotate)
    await this.#markers.move(key, path, duration)
    return undefined
  }

  #include(points: readonly Point[], padding: readonly number[] = []): void {
    if (points.length === 0) return
    const [top = 0, right = top, bottom = top, left = right] = padding.map(Number)
    const bounds = L.latLngBounds(points.map(toLatLng))
    const paddings: L.FitBoundsOptions = { paddingTopLeft: [left, top], paddingBottomRight: [right, bottom] }
    this.#move(() => this.#map.fitBounds(bounds, { ...paddings, ...animation() }))
  }

  async #drawLocation(): Promise<L.LatLng> {
    const position = toLatLng(await this.#around.locate())
    this.#location?.remove()
    const style = { radius: 7, color: '#fff', weight: 2, fillColor: '#0071eb', fillOpacity: 1, interactive: false }
    if (this.#isLocationShown) this.#location = L.circleMarker(position, style).addTo(this.#map)
    return position
  }
}

const animation = () => ({ animate: !isMotionReduced() })

function enable(handler: L.Handler, isEnabled: boolean): void {
  if (isEnabled) handler.enable()
  else handler.disable()
}

function addBackground(map: L.Map, tiles: MapTiles | undefined): void {
  if (!tiles) {
    createGrid().addTo(map)
    return
  }
  // Servers have tiles up to 19; larger scales enlarge them.
  L.tileLayer(tiles.url, { maxZoom: 20, maxNativeZoom: 19 }).addTo(map)
  if (!tiles.attribution) return
  // Leaflet takes HTML.
  const text = document.createElement('span')
  text.textContent = tiles.attribution
  L.control.attribution({ prefix: false }).addAttribution(text.innerHTML).addTo(map)
}
