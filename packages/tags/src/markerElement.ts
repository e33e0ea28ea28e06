import { cssLength } from './lengths.ts'
import type { Point } from './mapPoint.ts'

/** A text beside a marker. */
interface MarkerText {
  /** The text. */
  content?: string
  /** Color of the text. */
  color?: string
  /** In px. */
  fontSize?: number
  /** `left`, `right` or `center`. */
  textAlign?: string
  /** Color behind the text. */
  bgColor?: string
  /** In px. */
  padding?: number
  /** In px. */
  borderRadius?: number
  /** In px. */
  borderWidth?: number
  /** Color of the border. */
  borderColor?: string
}

export interface Marker extends Point {
  /** Named by the events of the map. */
  id?: number | string
  /** A callout without a style of its own. */
  title?: string
  /** Picture of the marker; a pin by default. */
  iconPath?: string
  /** Width of the picture, a length. */
  width?: number | string
  /** Height of the picture, a length. */
  height?: number | string
  /** In degrees, clockwise. */
  rotate?: number
  /** Opacity of the picture, from 0 to 1. */
  alpha?: number
  /** Higher ones are drawn above others. */
  zIndex?: number
  /** The part of the icon that is at the position, from 0 to 1. */
  anchor?: {
    /** From the left. */
    x?: number
    /** From the top. */
    y?: number
  }
  /** Shown when the marker is tapped, or always. */
  callout?: MarkerText & {
    /** Shown by a tap, or always. */
    display?: 'BYCLICK' | 'ALWAYS'
  }
  /** A text beside the marker. */
  label?: MarkerText & {
    /** Older name for `anchorX`. */
    x?: number
    /** Older name for `anchorY`. */
    y?: number
    /** Distance from the position, in px. */
    anchorX?: number
    /** Distance from the position, in px. */
    anchorY?: number
  }
  /** The content is an element of the page with the same `marker-id`, in one with `slot="callout"`. */
  customCallout?: {
    /** Shown by a tap, or always. */
    display?: 'BYCLICK' | 'ALWAYS'
    /** Distance from the icon, in px. */
    anchorX?: number
    /** Distance from the icon, in px. */
    anchorY?: number
  }
  /** Hides it in a cluster when others are close. */
  joinCluster?: boolean
  /** In `addMarkers`: what is drawn for the cluster with this id. */
  clusterId?: number
  /** Name for screen readers. */
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
    /** Color of the text. */
    color: text.color ?? '#000',
    /** In px. */
    fontSize: `${text.fontSize ?? 12}px`,
    /** `left`, `right` or `center`. */
    textAlign: text.textAlign ?? '',
    backgroundColor: text.bgColor ?? '',
    /** In px. */
    padding: `${text.padding ?? 0}px`,
    /** In px. */
    borderRadius: `${text.borderRadius ?? 0}px`,
    border: text.borderWidth ? `${text.borderWidth}px solid ${text.borderColor ?? '#000'}` : '',
  })
  return element
}
