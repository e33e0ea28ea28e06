import 'leaflet/dist/leaflet.css'
import * as L from 'leaflet'
import type { MapTiles } from './host.ts'
import { calloutOf, type Marker, markerElement, type Point } from './mapMarkers.ts'
import { isMotionReduced } from './root.ts'

export type { Marker, Point } from './mapMarkers.ts'

export interface Polyline {
  points: Point[]
  color?: string
  width?: number
  dottedLine?: boolean
  borderColor?: string
  borderWidth?: number
}

export interface Polygon {
  points: Point[]
  strokeWidth?: number
  strokeColor?: string
  fillColor?: string
  dashArray?: number[]
}

export interface Circle extends Point {
  /** In m. */
  radius: number
  color?: string
  fillColor?: string
  strokeWidth?: number
}

/** Options of a method of the map's context, besides its callbacks. */
export type MapMethodOptions = Record<string, unknown>

export interface MapView {
  /** Moves to the position, at a scale. */
  show(center: Point, scale: number): void
  setLimits(limits: { minScale: number; maxScale: number; canZoom: boolean; canScroll: boolean }): void
  setMarkers(markers: readonly Marker[]): void
  setShapes(shapes: { polyline: readonly Polyline[]; polygons: readonly Polygon[]; circles: readonly Circle[] }): void
  includePoints(points: readonly Point[]): void
  /** Shows where the device is, or stops it. */
  showLocation(isShown: boolean): void
  /** The methods of the map's context. */
  methods: Record<string, (options: MapMethodOptions) => object | undefined | Promise<object | undefined>>
  destroy(): void
}

interface Surroundings {
  /** Undefined if no tile server is configured. */
  tiles: MapTiles | undefined
  urlOf(path: string): string
  /** Asks the user for the position of the device. */
  locate(): Promise<Point>
  emit(type: string, detail: object): void
}

const latLng = ({ latitude, longitude }: Point): L.LatLng => {
  const [lat, lng] = [Number(latitude), Number(longitude)]
  if (latitude === undefined || longitude === undefined || Number.isNaN(lat + lng))
    throw new Error('latitude and longitude must be numbers')
  return L.latLng(lat, lng)
}
const pointOf = ({ lat, lng }: L.LatLng): Point => ({ latitude: lat, longitude: lng })

/** Draws a map into an element, whose size may change. */
export function createMapView(element: HTMLElement, around: Surroundings): MapView {
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: false,
    // Scales may have fractions, as with two fingers.
    zoomSnap: 0,
    worldCopyJump: true,
  })
  if (around.tiles) {
    // Servers have tiles up to 19; beyond it they are enlarged.
    L.tileLayer(around.tiles.url, { maxZoom: 20, maxNativeZoom: 19 }).addTo(map)
    if (around.tiles.attribution) {
      const text = document.createElement('span')
      text.textContent = around.tiles.attribution
      L.control.attribution({ prefix: false }).addAttribution(text.innerHTML).addTo(map)
    }
  } else grid().addTo(map)

  const animate = () => ({ animate: !isMotionReduced() })
  const shapes = L.layerGroup().addTo(map)
  const markers = new Map<string, { marker: Marker; layer: L.Marker }>()
  let openCallout: string | undefined
  let ownMove = false
  let zoomAtStart = 0
  let isDragged = false

  const region = () => {
    const bounds = map.getBounds()
    return { southwest: pointOf(bounds.getSouthWest()), northeast: pointOf(bounds.getNorthEast()) }
  }
  const reportRegion = (type: 'begin' | 'end', causedBy: string) =>
    around.emit('regionchange', {
      type,
      causedBy,
      rotate: 0,
      skew: 0,
      scale: map.getZoom(),
      centerLocation: pointOf(map.getCenter()),
      region: region(),
    })
  // Before the first view there is no region.
  map.whenReady(() => {
    map.on('dragstart', () => {
      isDragged = true
      ownMove = false
    })
    map.on('movestart', () => {
      zoomAtStart = map.getZoom()
      reportRegion('begin', ownMove ? 'update' : 'gesture')
    })
    map.on('moveend', () => {
      reportRegion('end', ownMove ? 'update' : map.getZoom() === zoomAtStart && isDragged ? 'drag' : 'scale')
      ownMove = false
      isDragged = false
    })
  })
  map.on('click', ({ latlng }) => {
    if (openCallout !== undefined) toggleCallout(openCallout)
    around.emit('tap', pointOf(latlng))
  })
  const move = (run: () => void) => {
    ownMove = true
    run()
  }
  /** Draws what the page has given, which may still lack its numbers. */
  const attempt = (draw: () => void) => {
    try {
      draw()
    } catch (error) {
      console.warn(`map: ${(error as Error).message}`)
    }
  }

  function iconOf(key: string, marker: Marker): L.DivIcon {
    const hasCallout = marker.callout?.display === 'ALWAYS' || openCallout === key
    const html = markerElement(marker, around.urlOf, hasCallout)
    return L.divIcon({ className: 'neu-map-marker', html, iconSize: [0, 0] })
  }

  function nameMarker({ marker, layer }: { marker: Marker; layer: L.Marker }): void {
    const name = marker.ariaLabel ?? marker.title ?? marker.callout?.content ?? marker.label?.content
    if (name) layer.getElement()?.setAttribute('aria-label', name)
  }

  function redrawMarker(key: string): void {
    const drawn = markers.get(key)!
    drawn.layer.setIcon(iconOf(key, drawn.marker))
    nameMarker(drawn)
  }

  function toggleCallout(key: string): void {
    const closed = openCallout
    openCallout = closed === key ? undefined : key
    for (const each of new Set([closed, key])) if (each !== undefined && markers.has(each)) redrawMarker(each)
  }

  function addMarker(marker: Marker): void {
    const key = String(marker.id ?? `#${markers.size}`)
    markers.get(key)?.layer.remove()
    const icon = iconOf(key, marker)
    const layer = L.marker(latLng(marker), { icon, zIndexOffset: 1000 * Number(marker.zIndex ?? 0) })
    markers.set(key, { marker, layer })
    layer.addTo(map)
    nameMarker({ marker, layer })
    layer.on('click', ({ originalEvent }) => {
      const part = originalEvent.target instanceof Element ? originalEvent.target : undefined
      const detail = { markerId: marker.id }
      if (part?.closest('.neu-map-callout')) around.emit('callouttap', detail)
      else if (part?.closest('.neu-map-label')) around.emit('labeltap', detail)
      else {
        if (calloutOf(marker) && marker.callout?.display !== 'ALWAYS') toggleCallout(key)
        around.emit('markertap', detail)
      }
    })
  }

  function removeMarker(key: string): void {
    markers.get(key)?.layer.remove()
    markers.delete(key)
    if (openCallout === key) openCallout = undefined
  }

  /** Moves a marker along a path at a constant speed. */
  function moveMarker({ markerId, rotate }: MapMethodOptions, path: readonly L.LatLng[], duration: number) {
    const found = markers.get(String(markerId))
    if (!found) throw new Error(`marker ${markerId} is not found`)
    const { layer } = found
    if (typeof rotate === 'number') {
      found.marker = { ...found.marker, rotate }
      redrawMarker(String(markerId))
    }
    const stops = [layer.getLatLng(), ...path]
    const lengths = stops.slice(1).map((stop, index) => stop.distanceTo(stops[index]!))
    const total = lengths.reduce((sum, length) => sum + length, 0)
    const start = performance.now()
    return new Promise<undefined>((resolve) => {
      const step = () => {
        const share = duration > 0 ? Math.min(1, (performance.now() - start) / duration) : 1
        let index = 0
        let rest = share * total
        while (index < lengths.length - 1 && rest > lengths[index]!) rest -= lengths[index++]!
        const [from, to] = [stops[index]!, stops[index + 1]!]
        const part = lengths[index] ? Math.min(1, rest / lengths[index]!) : 1
        layer.setLatLng([from.lat + (to.lat - from.lat) * part, from.lng + (to.lng - from.lng) * part])
        // The map was closed, or the marker removed.
        if (share < 1 && markers.get(String(markerId))?.layer === layer) requestAnimationFrame(step)
        else resolve(undefined)
      }
      step()
    })
  }

  let location: L.CircleMarker | undefined
  let isLocationShown = false
  async function drawLocation(): Promise<L.LatLng> {
    const position = latLng(await around.locate())
    location?.remove()
    if (isLocationShown)
      location = L.circleMarker(position, {
        radius: 7,
        color: '#fff',
        weight: 2,
        fillColor: '#0071eb',
        fillOpacity: 1,
        interactive: false,
      }).addTo(map)
    return position
  }

  function include(points: readonly Point[], padding: readonly number[] = []): void {
    if (points.length === 0) return
    const [top = 0, right = top, bottom = top, left = right] = padding.map(Number)
    const bounds = L.latLngBounds(points.map(latLng))
    const paddings: L.FitBoundsOptions = { paddingTopLeft: [left, top], paddingBottomRight: [right, bottom] }
    move(() => map.fitBounds(bounds, { ...paddings, ...animate() }))
  }

  const size = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  size.observe(element)

  return {
    show(center, scale) {
      attempt(() => {
        const position = latLng(center)
        move(() => map.setView(position, Number(scale), animate()))
      })
    },
    setLimits({ minScale, maxScale, canZoom, canScroll }) {
      map.setMinZoom(Number(minScale)).setMaxZoom(Number(maxScale))
      for (const handler of [map.scrollWheelZoom, map.doubleClickZoom, map.touchZoom, map.boxZoom])
        if (canZoom) handler.enable()
        else handler.disable()
      if (canScroll) map.dragging.enable()
      else map.dragging.disable()
      if (canScroll && canZoom) map.keyboard.enable()
      else map.keyboard.disable()
    },
    setMarkers(next) {
      for (const key of [...markers.keys()]) removeMarker(key)
      for (const marker of next) attempt(() => addMarker(marker))
    },
    setShapes({ polyline, polygons, circles }) {
      shapes.clearLayers()
      // Colours have their own transparency.
      const opaque = { opacity: 1, fillOpacity: 1, interactive: false }
      for (const { points, color = '#000', width = 1, dottedLine, borderColor, borderWidth = 0 } of polyline) {
        const dashes = dottedLine ? { dashArray: [width * 3, width * 2] } : {}
        attempt(() => {
          const line = points.map(latLng)
          if (borderWidth > 0)
            L.polyline(line, { ...opaque, color: borderColor ?? color, weight: width + 2 * borderWidth }).addTo(shapes)
          L.polyline(line, { ...opaque, ...dashes, color, weight: width }).addTo(shapes)
        })
      }
      const outline = (color = '#000', weight = 1, fillColor?: string) => ({
        ...opaque,
        color,
        weight,
        stroke: weight > 0,
        fill: fillColor !== undefined,
        ...(fillColor !== undefined && { fillColor }),
      })
      for (const { points, strokeWidth, strokeColor, fillColor, dashArray } of polygons)
        attempt(() => {
          const style = { ...outline(strokeColor, strokeWidth, fillColor), ...(dashArray && { dashArray }) }
          L.polygon(points.map(latLng), style).addTo(shapes)
        })
      for (const circle of circles)
        attempt(() => {
          const style = outline(circle.color, circle.strokeWidth, circle.fillColor)
          L.circle(latLng(circle), { ...style, radius: Number(circle.radius) }).addTo(shapes)
        })
    },
    includePoints: (points) => attempt(() => include(points)),
    showLocation(isShown) {
      isLocationShown = isShown
      location?.remove()
      if (isShown) drawLocation().catch((error: Error) => console.warn(`map: ${error.message}`))
    },
    methods: {
      getCenterLocation: () => pointOf(map.getCenter()),
      getRegion: region,
      getScale: () => ({ scale: map.getZoom() }),
      getRotate: () => ({ rotate: 0 }),
      getSkew: () => ({ skew: 0 }),
      async moveToLocation(options) {
        const isGiven = options.latitude !== undefined || options.longitude !== undefined
        const target = isGiven ? latLng(options as unknown as Point) : await drawLocation()
        move(() => map.panTo(target, animate()))
        return undefined
      },
      async translateMarker(options) {
        const { destination, duration = 1000, animationEnd } = options
        await moveMarker(options, [latLng(Object(destination))], Number(duration))
        if (typeof animationEnd === 'function') animationEnd()
        return undefined
      },
      moveAlong(options) {
        const { path, duration = 1000 } = options
        if (!Array.isArray(path) || path.length === 0) throw new Error('path must be a list of points')
        return moveMarker(options, path.map(latLng), Number(duration))
      },
      includePoints({ points, padding }) {
        if (!Array.isArray(points)) throw new Error('points must be a list of points')
        include(points, Array.isArray(padding) ? padding : [])
        return undefined
      },
      addMarkers({ markers: added, clear }) {
        if (!Array.isArray(added)) throw new Error('markers must be a list of markers')
        if (clear) for (const key of [...markers.keys()]) removeMarker(key)
        for (const marker of added) addMarker(marker)
        return undefined
      },
      removeMarkers({ markerIds }) {
        if (!Array.isArray(markerIds)) throw new Error('markerIds must be a list of ids')
        for (const id of markerIds) removeMarker(String(id))
        return undefined
      },
      toScreenLocation(options) {
        const { x, y } = map.latLngToContainerPoint(latLng(options as unknown as Point))
        return { x, y }
      },
      fromScreenLocation: ({ x, y }) => pointOf(map.containerPointToLatLng([Number(x), Number(y)])),
    },
    destroy() {
      size.disconnect()
      markers.clear()
      map.remove()
    },
  }
}

/** Draws lines and the positions where they meet, in place of the tiles of a server. */
function grid(): L.GridLayer {
  const Grid = L.GridLayer.extend({
    createTile({ x, y, z }: L.Coords) {
      const tile = document.createElement('div')
      tile.className = 'neu-map-square'
      const { lat, lng } = L.CRS.EPSG3857.pointToLatLng(L.point(x, y).multiplyBy(256), z)
      const digits = Math.max(0, Math.ceil(z / 4))
      tile.textContent = `${lat.toFixed(digits)}, ${lng.toFixed(digits)}`
      return tile
    },
  }) as new (
    options: L.GridLayerOptions,
  ) => L.GridLayer
  return new Grid({ maxZoom: 20 })
}
