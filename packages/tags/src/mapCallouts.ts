import type * as L from 'leaflet'
import type { MapMarkers } from './mapMarkers.ts'

/**
 * Callouts that are elements of the page: the children with `marker-id` of an element with `slot="callout"` in the map.
 * They stay where the page has put them and are moved over their markers.
 */
export class MapCallouts {
  readonly #map: L.Map
  readonly #root: HTMLElement
  readonly #markers: MapMarkers
  readonly #observer: MutationObserver
  readonly #onClick: (event: Event) => void

  constructor(
    map: L.Map,
    canvas: HTMLElement,
    markers: MapMarkers,
    { emit }: { emit(type: string, detail: object): void },
  ) {
    this.#map = map
    this.#root = canvas.parentElement!
    this.#markers = markers
    map.on('move zoom viewreset resize', () => this.place())
    this.#observer = new MutationObserver(() => this.place())
    this.#observer.observe(this.#root, { childList: true, subtree: true, attributeFilter: ['marker-id', 'slot'] })
    this.#onClick = ({ target }) => {
      const id = (target as Element).closest('[slot="callout"] > [marker-id]')?.getAttribute('marker-id')
      const found = this.#markers.customCallouts().find(({ marker }) => String(marker.id) === id)
      if (found) emit('callouttap', { markerId: found.marker.id })
    }
    this.#root.addEventListener('click', this.#onClick)
    this.place()
  }

  /** Moves all of them to where their markers are. */
  place(): void {
    const elements = [...this.#root.querySelectorAll<HTMLElement>(':scope > [slot="callout"] > [marker-id]')]
    // The library throws for a map without a view.
    if (elements.length === 0 || this.#map.getZoom() === undefined) return
    const callouts = this.#markers.customCallouts()
    for (const element of elements) {
      const callout = callouts.find(({ marker }) => String(marker.id) === element.getAttribute('marker-id'))
      element.classList.toggle('neu-map-custom-callout', callout?.isShown === true)
      if (!callout?.isShown) continue
      const { x, y } = this.#map.latLngToContainerPoint(callout.layer.getLatLng())
      const { anchorX = 0, anchorY = 0 } = callout.marker.customCallout!
      const icon = callout.layer.getElement()?.querySelector<HTMLElement>('.neu-map-icon')
      const height = (icon?.offsetHeight ?? 0) * (callout.marker.anchor?.y ?? 1)
      element.style.translate = `calc(${x + anchorX}px - 50%) calc(${y + anchorY - height}px - 100%)`
    }
  }

  destroy(): void {
    this.#observer.disconnect()
    this.#root.removeEventListener('click', this.#onClick)
  }
}
