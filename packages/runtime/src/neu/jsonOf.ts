/** Returns a value as JSON. @throws Error that names the option if it cannot be converted */
export function jsonOf(value: unknown, option: string): string {
  const text = JSON.stringify(value)
  if (text === undefined) throw new Error(`${option} must be a value that JSON can contain`)
  return text
}
