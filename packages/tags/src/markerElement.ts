import { cssLength } from './lengths.ts'
import type { Point } from './mapPoint.ts'

/** A text beside a marker. */
interface MarkerText {
  content?: string
  color?: string
  fontSize?: number
  textAlign?: string
  bgColor?: string
  padding?: number
  borderRadius?: number
  borderWidth?: number
  borderColor?: string
}

export interface Marker extends Point {
  id?: number | string
  title?: string
  iconPath?: string
  width?: number | string
  height?: number | string
  /** In degrees, clockwise. */
  rotate?: number
  alpha?: number
  zIndex?: number
  /** The part of the icon that is at the position, from 0 to 1. */
  anchor?: { x?: number; y?: number }
  /** Shown when the marker is tapped, or always. */
  callout?: MarkerText & { display?: 'BYCLICK' | 'ALWAYS' }
  label?: MarkerText & { x?: number; y?: number; anchorX?: number; anchorY?: number }
  /** The content is an element of the page with the same `marker-id`, in one with `slot="callout"`. */
  customCallout?: { display?: 'BYCLICK' | 'ALWAYS'; anchorX?: number; anchorY?: number }
  /** Hides it in a cluster when others are close. */
  joinCluster?: boolean
  /** In `addMarkers`: what is drawn for the cluster with this id. */
  clusterId?: number
  ariaLabel?: string
}

/** Returns the callout of a marker; its title is one too. */
export const calloutOf = ({ callout, title }: Marker): Marker['callout'] =>
  callout?.content ? callout : title ? { content: title } : undefined

const pin =
  '<svg width="24" height="34" viewBox="0 0 24 34" aria-hidden="true"><path d="M12 1a11 11 0 0 1 11 11c0 8-11 21-11 21S1 20 1 12A11 11 0 0 1 12 1z" fill="#d93936" stroke="#fff" stroke-width="1.5"/><circle cx="12" cy="12" r="4.5" fill="#fff"/></svg>'

/** Draws a marker around its position, with its label and its callout. */
export function markerElement(marker: Marker, urlOf: (path: string) => string, hasCallout: boolean): HTMLElement {
  const element = document.createElement('div')
  const { x = 0.5, y = 1 } = marker.anchor ?? {}
  const icon = document.createElement('div')
  icon.className = 'neu-map-icon'
  icon.style.opacity = String(marker.alpha ?? 1)
  icon.style.transformOrigin = `${x * 100}% ${y * 100}%`
  icon.style.transform = `translate(${-x * 100}%, ${-y * 100}%) rotate(${Number(marker.rotate ?? 0)}deg)`
  if (marker.iconPath) {
    const image = document.createElement('img')
    image.src = urlOf(marker.iconPath)
    image.alt = ''
    if (marker.width) image.style.width = cssLength(marker.width)
    if (marker.height) image.style.height = cssLength(marker.height)
    icon.append(image)
  } else icon.innerHTML = pin
  element.append(icon)
  const { label } = marker
  if (label?.content) {
    const text = textElement('neu-map-label', label)
    text.style.left = `${label.anchorX ?? label.x ?? 0}px`
    text.style.top = `${label.anchorY ?? label.y ?? 0}px`
    element.append(text)
  }
  const callout = calloutOf(marker)
  if (callout && hasCallout) {
    const text = textElement('neu-map-callout', { bgColor: '#fff', padding: 8, borderRadius: 4, ...callout })
    // Placed above the icon, whose height is only known when its image is loaded.
    icon.append(text)
    text.style.transform = `translateX(-50%) rotate(${-Number(marker.rotate ?? 0)}deg)`
  }
  return element
}

function textElement(className: string, text: MarkerText): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  element.textContent = text.content ?? ''
  Object.assign(element.style, {
    color: text.color ?? '#000',
    fontSize: `${text.fontSize ?? 12}px`,
    textAlign: text.textAlign ?? '',
    backgroundColor: text.bgColor ?? '',
    padding: `${text.padding ?? 0}px`,
    borderRadius: `${text.borderRadius ?? 0}px`,
    border: text.borderWidth ? `${text.borderWidth}px solid ${text.borderColor ?? '#000'}` : '',
  })
  return element
}
