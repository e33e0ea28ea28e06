import * as L from 'leaflet'
import { LineArrows } from './mapArrows.ts'
import { type Point, toLatLng, tryToDraw } from './mapPoint.ts'

export interface Polyline {
  /** The points in their order. */
  points: Point[]
  /** Color of the line. */
  color?: string
  /** Width of the line in px. */
  width?: number
  /** Draws a dotted line. */
  dottedLine?: boolean
  /** Draws arrows in the direction of the line. */
  arrowLine?: boolean
  /** Picture of the arrows. */
  arrowIconPath?: string
  /** Color of the border of the line. */
  borderColor?: string
  /** Width of the border in px. */
  borderWidth?: number
}

export interface Polygon {
  /** The points in their order. */
  points: Point[]
  /** Width of the border in px. */
  strokeWidth?: number
  /** Color of the border. */
  strokeColor?: string
  /** Color of the area. */
  fillColor?: string
  /** Lengths of dashes and gaps in px. */
  dashArray?: number[]
}

export interface Circle extends Point {
  /** In m. */
  radius: number
  /** Color of the line. */
  color?: string
  /** Color of the area. */
  fillColor?: string
  /** Width of the border in px. */
  strokeWidth?: number
}

/** Lines, polygons and circles of a map. */
export interface Shapes {
  polyline: readonly Polyline[]
  polygons: readonly Polygon[]
  circles: readonly Circle[]
}

// Colors have their own transparency.
const opaque = { opacity: 1, fillOpacity: 1, interactive: false }

const areaStyle = (color = '#000', weight = 1, fillColor?: string): L.PathOptions => ({
  ...opaque,
  color,
  weight,
  stroke: weight > 0,
  fill: fillColor !== undefined,
  ...(fillColor !== undefined && { fillColor }),
})

/** Replaces the shapes of the layer. */
export function drawShapes(
  layer: L.LayerGroup,
  { polyline, polygons, circles }: Shapes,
  urlOf: (path: string) => string,
): void {
  layer.clearLayers()
  for (const line of polyline) tryToDraw(() => drawPolyline(layer, line, urlOf))
  for (const { points, strokeWidth, strokeColor, fillColor, dashArray } of polygons)
    tryToDraw(() => {
      const style = { ...areaStyle(strokeColor, strokeWidth, fillColor), ...(dashArray && { dashArray }) }
      L.polygon(points.map(toLatLng), style).addTo(layer)
    })
  for (const circle of circles)
    tryToDraw(() => {
      const style = areaStyle(circle.color, circle.strokeWidth, circle.fillColor)
      L.circle(toLatLng(circle), { ...style, radius: Number(circle.radius) }).addTo(layer)
    })
}

function drawPolyline(layer: L.LayerGroup, line: Polyline, urlOf: (path: string) => string): void {
  const { color = '#000', width = 1, dottedLine, borderColor, borderWidth = 0 } = line
  const points = line.points.map(toLatLng)
  if (borderWidth > 0)
    L.polyline(points, { ...opaque, color: borderColor ?? color, weight: width + 2 * borderWidth }).addTo(layer)
  const dashes = dottedLine ? { dashArray: [width * 3, width * 2] } : {}
  L.polyline(points, { ...opaque, ...dashes, color, weight: width }).addTo(layer)
  const { arrowLine, arrowIconPath } = line
  if (arrowLine) new LineArrows(points, width, arrowIconPath ? urlOf(arrowIconPath) : undefined).addTo(layer)
}
