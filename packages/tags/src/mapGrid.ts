import * as L from 'leaflet'

/** Draws a grid with the positions of its crossings, instead of a server's tiles. */
export function createGrid(): L.GridLayer {
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
