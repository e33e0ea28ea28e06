import { type Rgba, readHex, readRgba } from '../colors.ts'
import type { TextFormat } from '../rules/rule.ts'
import type { Code } from './codes.ts'

/** A string in a wrong format, with a replacement if there is an obvious one. */
export type FormatProblem = { readonly code: Code; readonly message: string; readonly better?: string }

/** Checks the format of a string; undefined if it is valid. `name` is the attribute, for messages. */
export function checkFormat(format: TextFormat, written: string, name: string): FormatProblem | undefined {
  // No valid color or size is longer. The ellipsis keeps a truncated value invalid.
  const value = written.length > 100 ? `${written.slice(0, 100)}…` : written
  switch (format) {
    case 'hexColor':
    case 'pageColor':
    case 'color':
    case 'backdrop':
    case 'borderColor':
      return checkColor(format, value, name)
    case 'length':
    case 'px':
    case 'pxOrAuto':
    case 'pxOrPercent':
    case 'pxOffset':
    case 'pxOrFunction':
      return checkSize(format, value, name)
    case 'gradientOrImage':
      return checkGradient(value, name)
    default:
      return undefined
  }
}

/** Describes a format for messages; undefined if it takes more than a few words. */
export function describeFormat(format: TextFormat): string | undefined {
  if (Object.hasOwn(colorFormats, format)) return colorFormats[format as keyof typeof colorFormats]
  return Object.hasOwn(sizeFormats, format) ? sizeFormats[format as keyof typeof sizeFormats] : undefined
}

// --- colors ---------------------------------------------------------------------------------------------------------

const colorFormats = {
  hexColor: '#RRGGBB',
  pageColor: '#RRGGBB or transparent',
  color: '#RRGGBB or rgba(R,G,B,A)',
  backdrop: '#RRGGBB, rgba(R,G,B,A) or transparent',
  borderColor: 'black, white or, on App and H5, #RRGGBB',
}

function checkColor(format: keyof typeof colorFormats, value: string, name: string): FormatProblem | undefined {
  if (/^#[\da-f]{6}$/i.test(value)) return undefined
  if (format !== 'hexColor' && format !== 'pageColor' && readRgba(value)) return undefined
  if ((format === 'backdrop' || format === 'pageColor') && value === 'transparent') return undefined
  if (format === 'borderColor' && (value === 'black' || value === 'white')) return undefined
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value)
  if (short) {
    const better = `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`
    return { code: 'color-short', message: `${name} takes a color in the format #RRGGBB: write ${better}.`, better }
  }
  const better = nearestColor(value, format)
  return {
    code: 'color-form',
    message: `"${value.slice(0, 60)}" is not a valid color for ${name}: write ${better ?? colorFormats[format]}.`,
    ...(better && { better }),
  }
}

const namedColors: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#FFFFFF',
  red: '#FF0000',
  green: '#008000',
  blue: '#0000FF',
  yellow: '#FFFF00',
  orange: '#FFA500',
  gray: '#808080',
  grey: '#808080',
  purple: '#800080',
  pink: '#FFC0CB',
  silver: '#C0C0C0',
  skyblue: '#87CEEB',
  brown: '#A52A2A',
}

function nearestColor(value: string, format: keyof typeof colorFormats): string | undefined {
  const trimmed = value.trim()
  if (trimmed !== value && checkColor(format, trimmed, '') === undefined) return trimmed
  const name = trimmed.toLowerCase()
  if (Object.hasOwn(namedColors, name)) return namedColors[name]
  if (/^[\da-f]{6}(?:ff)?$/i.test(trimmed.replace(/^#/, ''))) return `#${trimmed.replace(/^#/, '').slice(0, 6)}`
  const rgb = /^rgb\((.*)\)$/i.exec(value)
  const opaque = readRgba(rgb ? `rgba(${rgb[1]},1)` : value)
  if (opaque && opaque.alpha === 1) return toHex(opaque)
  const eight = /^#([\da-f]{6})([\da-f]{2})$/i.exec(value)
  if (eight && format !== 'hexColor' && format !== 'pageColor') {
    const { red, green, blue } = readHex(eight[1]!)
    return `rgba(${red},${green},${blue},${Math.round((Number.parseInt(eight[2]!, 16) / 255) * 100) / 100})`
  }
  return undefined
}

function toHex({ red, green, blue }: Rgba): string {
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

// --- sizes -----------------------------------------------------------------------------------------------------------

const sizeFormats = {
  length: 'a number with px',
  px: 'a number with px (rpx is not supported)',
  pxOrAuto: 'a number with px (rpx is not supported), or auto',
  pxOrPercent: 'a number with px (rpx is not supported), or a percentage',
  pxOffset: 'a number with px (rpx is not supported), or a percentage',
  pxOrFunction: 'a number with px (rpx is not supported) or vw, or calc(…)',
}

function checkSize(format: keyof typeof sizeFormats, value: string, name: string): FormatProblem | undefined {
  if (isSize(format, value)) return undefined
  const reason = format !== 'pxOffset' && /^\s*-/.test(value) ? ', which cannot be negative' : ''
  const wrong = `"${value.slice(0, 60)}" is not a valid size for ${name}${reason}: write ${sizeFormats[format]}`
  const better = nearestSize(format, value)
  return { code: 'size-form', message: `${wrong}${better ? `, as in ${better}` : ''}.`, ...(better && { better }) }
}

function isSize(format: keyof typeof sizeFormats, value: string): boolean {
  // Only offsets may be negative.
  if (format === 'pxOffset') return isSize('pxOrPercent', value.replace(/^-/, ''))
  return (
    /^(?:\d+(?:\.\d+)?|\.\d+)px$/.test(value) ||
    (format === 'length' && /^(?:\d+(?:\.\d+)?|\.\d+)rpx$/.test(value)) ||
    (format === 'pxOrAuto' && value === 'auto') ||
    (format === 'pxOrPercent' && /^(?:\d+(?:\.\d+)?|\.\d+)%$/.test(value)) ||
    (format === 'pxOrFunction' && /^(?:\d+(?:\.\d+)?|\.\d+)vw$|^(?:calc|min|max|clamp)\([^;{}]*\)$/.test(value))
  )
}

function nearestSize(format: keyof typeof sizeFormats, value: string): string | undefined {
  const plain = value.replace(/\s/g, '').toLowerCase()
  if (isSize(format, plain)) return plain
  const [, number, unit] = /^(-?(?:\d+(?:\.\d+)?|\.\d+))(rpx)?$/.exec(plain) ?? []
  if (number === undefined) return undefined
  // 750rpx are the width of the reference screen, 375px.
  const size = unit ? `${Math.round(Number(number) * 50) / 100}px` : `${number}px`
  return isSize(format, size) ? size : undefined
}

// --- backgrounds -----------------------------------------------------------------------------------------------------

const directions = ['to right', 'to left', 'to bottom', 'to bottom right', 'to top left']

/** Checks a gradient (pages-json §2.6). Image paths are checked with the files of the project. */
function checkGradient(value: string, name: string): FormatProblem | undefined {
  if (!/gradient/i.test(value)) return undefined
  const match =
    /^linear-gradient\(([^,]+),\s*(#(?:[\da-f]{3}){1,2}|rgba?\([^)]*\)|[a-z]+)\s*,\s*(#(?:[\da-f]{3}){1,2}|rgba?\([^)]*\)|[a-z]+)\s*\)$/i.exec(
      value,
    )
  if (match && directions.includes(match[1]!.trim().replace(/\s+/g, ' '))) return undefined
  return {
    code: 'value-unknown',
    message: `${name} takes a gradient of two colors, linear-gradient(<direction>, <color>, <color>); the directions are ${directions.join(', ')}.`,
  }
}
