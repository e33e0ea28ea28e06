/**
 * Replaces a backslash and an n by a line break, as the build does in the static parts of a `<text>`. Other values
 * stay. Called by compiled templates.
 */
export function withLineBreaks(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\\n', '\n') : value
}
