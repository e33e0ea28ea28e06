import * as L from 'leaflet'
import { type Point, toPoint } from './mapPoint.ts'

/** Options of `initMarkerCluster`. */
export interface ClusterOptions {
  /** False if the page draws clusters itself, by `addMarkers` with a `clusterId` (default: true). */
  enableDefaultStyle?: boolean
  /** Zooms in on a cluster that is tapped (default: true). */
  zoomOnClick?: boolean
  /** Markers within this distance of each other form a cluster, in px (default: 60). */
  gridSize?: number
}

export interface Cluster {
  clusterId: number
  center: Point
  markerIds: (number | string)[]
}

/** A marker that joins clusters, on the map or hidden in one. */
export interface Member {
  id: number | string
  layer: L.Marker
}

interface ClusterHost {
  /** Returns what the page draws for a cluster; undefined if it draws nothing. */
  elementOf(cluster: Cluster): HTMLElement | undefined
  emit(type: 'markerClusterCreate' | 'markerClusterClick', detail: object): void
}

/** Replaces markers that are close to each other by one, at each scale. */
export class MapClusters {
  readonly #map: L.Map
  readonly #host: ClusterHost
  readonly #layers = L.layerGroup()
  #options: ClusterOptions = {}
  #shown: Cluster[] = []
  #lastId = 0

  constructor(map: L.Map, host: ClusterHost) {
    this.#map = map
    this.#host = host
    this.#layers.addTo(map)
  }

  configure(options: ClusterOptions): void {
    this.#options = options
  }

  /** Groups the markers at the map's scale. Does nothing before the map has one. */
  update(members: readonly Member[]): void {
    const map = this.#map
    // The library throws for a map without a view.
    if (map.getZoom() === undefined) return
    const groups = this.#group(members)
    for (const group of groups)
      for (const { layer } of group) {
        if (group.length > 1) layer.remove()
        else layer.addTo(map)
      }
    const known = new Map(this.#shown.map(({ markerIds, clusterId }) => [String(markerIds), clusterId]))
    const lastId = this.#lastId
    const clusters = groups.filter(({ length }) => length > 1).map((group) => this.#clusterOf(group, known))
    const isNew = this.#lastId > lastId
    this.#shown = clusters
    this.draw()
    if (isNew) this.#host.emit('markerClusterCreate', { clusters })
  }

  /** Draws the clusters again, after the page has given them another look. */
  draw(): void {
    this.#layers.clearLayers()
    for (const cluster of this.#shown) {
      const isDefault = this.#options.enableDefaultStyle !== false
      const html = this.#host.elementOf(cluster) ?? (isDefault ? countOf(cluster) : undefined)
      if (!html) continue
      const { latitude, longitude } = cluster.center
      const icon = L.divIcon({ className: 'neu-map-marker', html, iconSize: [0, 0] })
      const layer = L.marker([latitude, longitude], { icon }).addTo(this.#layers)
      layer.getElement()?.setAttribute('aria-label', String(cluster.markerIds.length))
      layer.on('click', () => this.#onClick(cluster))
    }
  }

  #onClick(cluster: Cluster): void {
    this.#host.emit('markerClusterClick', { cluster })
    const { latitude, longitude } = cluster.center
    if (this.#options.zoomOnClick !== false) this.#map.setView([latitude, longitude], this.#map.getZoom() + 1)
  }

  #group(members: readonly Member[]): Member[][] {
    const { gridSize = 60 } = this.#options
    const groups: { at: L.Point; members: Member[] }[] = []
    for (const member of members) {
      const at = this.#map.project(member.layer.getLatLng())
      const near = groups.find((group) => group.at.distanceTo(at) < gridSize)
      if (near) near.members.push(member)
      else groups.push({ at, members: [member] })
    }
    return groups.map((group) => group.members)
  }

  /** Keeps the id of a cluster with the same markers. `known` are the ids by the markers. */
  #clusterOf(group: readonly Member[], known: ReadonlyMap<string, number>): Cluster {
    const markerIds = group.map(({ id }) => id)
    const center = toPoint(L.latLngBounds(group.map(({ layer }) => layer.getLatLng())).getCenter())
    return { clusterId: known.get(String(markerIds)) ?? ++this.#lastId, center, markerIds }
  }
}

function countOf({ markerIds }: Cluster): HTMLElement {
  const element = document.createElement('div')
  element.className = 'neu-map-cluster'
  element.textContent = String(markerIds.length)
  return element
}
