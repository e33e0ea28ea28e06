import { day, hour, minute, second } from '@souk/contract/time'
import { InvalidArgumentError } from 'commander'

const units = { ms: 1, s: second, m: minute, h: hour, d: day } as const
type Unit = keyof typeof units

/**
 * Parses a duration such as `90s`, `2h` or `1h30m` to ms.
 *
 * @throws InvalidArgumentError for anything else, including zero
 */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  const whole = parts.map(([part]) => part).join('') === text
  const ms = Math.round(parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit as Unit], 0))
  if (!whole || !(ms > 0) || !Number.isSafeInteger(ms)) {
    throw new InvalidArgumentError('Use a duration such as 90s, 15m, 2h, 1h30m or 7d.')
  }
  return ms
}

/** Formats a duration with its two largest units: `1 h 30 min`. `ms` is not negative. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  const parts: string[] = []
  let left = seconds
  for (const [name, size] of longUnits) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join(' ')
}

const longUnits = [
  ['d', day / second],
  ['h', hour / second],
  ['min', minute / second],
  ['s', 1],
] as const

/** Formats a time relative to now with its largest unit: `3 min ago`, `in 2 h`, `now`. Both in ms. */
export function formatRelative(time: number, now: number): string {
  const seconds = Math.round(Math.abs(now - time) / 1000)
  const unit = longUnits.find(([, size]) => seconds >= size)
  if (!unit) return 'now'
  const distance = `${Math.round(seconds / unit[1])} ${unit[0]}`
  return time < now ? `${distance} ago` : `in ${distance}`
}
