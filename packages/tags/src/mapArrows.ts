import * as L from 'leaflet'

/** Distance between two arrows, in px. */
const distance = 60
/** Long lines get fewer arrows. */
const maxArrows = 200

/** Draws arrows along a line, in its direction; `icon` is the address of a picture that points up. */
export class LineArrows extends L.LayerGroup {
  readonly #points: readonly L.LatLng[]
  readonly #width: number
  readonly #icon: string | undefined

  constructor(points: readonly L.LatLng[], width: number, icon: string | undefined) {
    super()
    this.#points = points
    this.#width = width
    this.#icon = icon
  }

  override onAdd(map: L.Map): this {
    super.onAdd(map)
    map.on('zoomend', this.#draw, this)
    map.whenReady(() => this.#draw())
    return this
  }

  override onRemove(map: L.Map): this {
    map.off('zoomend', this.#draw, this)
    return super.onRemove(map)
  }

  #draw(): void {
    const map = (this as unknown as { _map?: L.Map })._map
    if (!map) return
    this.clearLayers()
    const stops = this.#points.map((point) => map.project(point))
    const length = stops.slice(1).reduce((sum, stop, index) => sum + stop.distanceTo(stops[index]!), 0)
    const step = Math.max(distance, length / maxArrows)
    let next = step / 2
    stops.slice(1).forEach((to, index) => {
      const from = stops[index]!
      const segment = to.distanceTo(from)
      for (; next < segment; next += step) {
        const at = from.add(to.subtract(from).multiplyBy(next / segment))
        this.#add(map.unproject(at), Math.atan2(to.x - from.x, from.y - to.y))
      }
      next -= segment
    })
  }

  /** Adds an arrow. `angle` is in rad, clockwise from the north. */
  #add(at: L.LatLng, angle: number): void {
    const arrow = document.createElement(this.#icon ? 'img' : 'div')
    if (this.#icon) Object.assign(arrow, { src: this.#icon, alt: '' })
    else
      arrow.innerHTML =
        '<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M1 7l4-4 4 4" fill="none" stroke="#fff" stroke-width="2"/></svg>'
    arrow.className = 'neu-map-arrow'
    const size = Math.max(this.#width, 4)
    arrow.style.cssText = `inline-size:${size}px;transform:translate(-50%,-50%) rotate(${angle}rad)`
    const icon = L.divIcon({ className: 'neu-map-marker', html: arrow, iconSize: [0, 0] })
    L.marker(at, { icon, interactive: false, keyboard: false }).addTo(this)
  }
}
