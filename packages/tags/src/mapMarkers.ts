import * as L from 'leaflet'
import { type ClusterOptions, MapClusters } from './mapClusters.ts'
import { toLatLng, tryToDraw } from './mapPoint.ts'
import { calloutOf, type Marker, markerElement } from './markerElement.ts'

interface Drawn {
  marker: Marker
  layer: L.Marker
}

interface MarkerHost {
  urlOf(path: string): string
  emit(type: string, detail: object): void
  /** Called when markers or callouts appear, disappear or move. */
  onChange(): void
}

/** The markers of a map. At most one callout that opens by a tap is open. */
export class MapMarkers {
  readonly #map: L.Map
  readonly #host: MarkerHost
  /** Markers by `id` as a string: pages write numbers and strings. */
  readonly #drawn = new Map<string, Drawn>()
  /** Number of the last marker without `id`. */
  #lastKey = 0
  #openCallout: string | undefined
  readonly #clusters: MapClusters
  /** Appearances by `clusterId`. */
  readonly #looks = new Map<number, Marker>()

  constructor(map: L.Map, host: MarkerHost) {
    this.#map = map
    this.#host = host
    this.#clusters = new MapClusters(map, {
      elementOf: ({ clusterId }) => {
        const look = this.#looks.get(clusterId)
        return look && markerElement(look, host.urlOf, true)
      },
      emit: host.emit,
    })
    map.on('zoomend', () => this.#group())
    map.whenReady(() => this.#group())
  }

  /** Replaces all markers. */
  set(markers: readonly Marker[]): void {
    this.clear()
    for (const marker of markers) tryToDraw(() => this.#draw(marker))
    this.#group()
  }

  clear(): void {
    for (const key of [...this.#drawn.keys()]) this.#erase(key)
    this.#looks.clear()
    this.#group()
  }

  /** Sets how markers with `joinCluster` are grouped. */
  cluster(options: ClusterOptions): void {
    this.#clusters.configure(options)
    this.#group()
  }

  /** Returns the markers whose callout is an element of the page, and whether it is shown. */
  customCallouts(): { marker: Marker; layer: L.Marker; isShown: boolean }[] {
    return [...this.#drawn].flatMap(([key, { marker, layer }]) => {
      if (!marker.customCallout) return []
      const isOpen = marker.customCallout.display === 'ALWAYS' || this.#openCallout === key
      return [{ marker, layer, isShown: isOpen && this.#map.hasLayer(layer) }]
    })
  }

  /**
   * Adds markers, and what is drawn for the clusters with a `clusterId`. Throws an `Error` at a marker without a
   * position, after those before it are added.
   */
  addAll(markers: readonly Marker[]): void {
    try {
      for (const marker of markers) {
        if (marker.clusterId === undefined) this.#draw(marker)
        else this.#looks.set(marker.clusterId, marker)
      }
    } finally {
      this.#group()
    }
  }

  #draw(marker: Marker): void {
    const key = String(marker.id ?? `#${++this.#lastKey}`)
    this.#drawn.get(key)?.layer.remove()
    const layer = L.marker(toLatLng(marker), {
      icon: this.#iconOf(key, marker),
      zIndexOffset: 1000 * Number(marker.zIndex ?? 0),
    })
    this.#drawn.set(key, { marker, layer })
    // The element is another one each time that the marker leaves a cluster.
    layer.on('add', () => nameMarker({ marker, layer }))
    layer.addTo(this.#map)
    layer.on('click', ({ originalEvent }) => this.#onClick(key, marker, originalEvent.target))
  }

  removeAll(keys: readonly string[]): void {
    for (const key of keys) this.#erase(key)
    this.#group()
  }

  #erase(key: string): void {
    this.#drawn.get(key)?.layer.remove()
    this.#drawn.delete(key)
    if (this.#openCallout === key) this.#openCallout = undefined
  }

  closeCallout(): void {
    if (this.#openCallout !== undefined) this.#toggleCallout(this.#openCallout)
  }

  /** Rotates a marker to `rotate` degrees. Throws an `Error` if there is no such marker. */
  rotate(key: string, rotate: number): void {
    const drawn = this.#find(key)
    drawn.marker = { ...drawn.marker, rotate }
    this.#redraw(key, drawn)
  }

  /**
   * Moves a marker along `path` at a constant speed, in `duration` ms. The promise resolves at the end, even if the
   * marker is removed before. Throws an `Error` if there is no such marker.
   */
  async move(key: string, path: readonly L.LatLng[], duration: number): Promise<void> {
    const { layer } = this.#find(key)
    const stops = [layer.getLatLng(), ...path]
    const lengths = stops.slice(1).map((stop, index) => stop.distanceTo(stops[index]!))
    const total = lengths.reduce((sum, length) => sum + length, 0)
    const start = performance.now()
    let share = 0
    while (share < 1 && this.#drawn.get(key)?.layer === layer) {
      share = duration > 0 ? Math.min(1, (performance.now() - start) / duration) : 1
      layer.setLatLng(positionAt(share * total, stops, lengths))
      this.#host.onChange()
      if (share < 1) await new Promise(requestAnimationFrame)
    }
    if (this.#drawn.get(key)?.layer === layer) this.#group()
  }

  #group(): void {
    const joining = [...this.#drawn].filter(([, { marker }]) => marker.joinCluster)
    this.#clusters.update(joining.map(([key, { marker, layer }]) => ({ id: marker.id ?? key, layer })))
    this.#host.onChange()
  }

  #find(key: string): Drawn {
    const drawn = this.#drawn.get(key)
    if (!drawn) throw new Error(`marker ${key} is not found`)
    return drawn
  }

  #onClick(key: string, marker: Marker, target: EventTarget | null): void {
    const part = target instanceof Element ? target : undefined
    const detail = { markerId: marker.id }
    if (part?.closest('.neu-map-callout')) this.#host.emit('callouttap', detail)
    else if (part?.closest('.neu-map-label')) this.#host.emit('labeltap', detail)
    else {
      if ((calloutOf(marker) || marker.customCallout) && (marker.customCallout ?? marker.callout)?.display !== 'ALWAYS')
        this.#toggleCallout(key)
      this.#host.emit('markertap', detail)
    }
  }

  #toggleCallout(key: string): void {
    const closed = this.#openCallout
    this.#openCallout = closed === key ? undefined : key
    for (const each of new Set([closed, key])) {
      const drawn = each === undefined ? undefined : this.#drawn.get(each)
      if (drawn) this.#redraw(each!, drawn)
    }
    this.#host.onChange()
  }

  #redraw(key: string, drawn: Drawn): void {
    drawn.layer.setIcon(this.#iconOf(key, drawn.marker))
    nameMarker(drawn)
  }

  #iconOf(key: string, marker: Marker): L.DivIcon {
    const hasCallout = !marker.customCallout && (marker.callout?.display === 'ALWAYS' || this.#openCallout === key)
    const html = markerElement(marker, this.#host.urlOf, hasCallout)
    return L.divIcon({ className: 'neu-map-marker', html, iconSize: [0, 0] })
  }
}

function nameMarker({ marker, layer }: Drawn): void {
  const name = marker.ariaLabel ?? marker.title ?? marker.callout?.content ?? marker.label?.content
  if (name) layer.getElement()?.setAttribute('aria-label', name)
}

/** Returns the position after `distance` m along the stops, whose distances are `lengths`. */
function positionAt(distance: number, stops: readonly L.LatLng[], lengths: readonly number[]): L.LatLng {
  let index = 0
  let rest = distance
  while (index < lengths.length - 1 && rest > lengths[index]!) rest -= lengths[index++]!
  const [from, to] = [stops[index]!, stops[index + 1]!]
  const part = lengths[index] ? Math.min(1, rest / lengths[index]!) : 1
  return L.latLng(from.lat + (to.lat - from.lat) * part, from.lng + (to.lng - from.lng) * part)
}
