/** Formats a time of the device as 14:05:09.120. */
export function clockTime(time: number): string {
  const date = new Date(time)
  const part = (value: number, length = 2) => String(value).padStart(length, '0')
  return `${part(date.getHours())}:${part(date.getMinutes())}:${part(date.getSeconds())}.${part(date.getMilliseconds(), 3)}`
}

/** Formats a duration in ms. */
export const milliseconds = (duration: number) => `${Math.max(0, Math.round(duration))} ms`
