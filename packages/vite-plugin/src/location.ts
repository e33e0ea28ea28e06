import { Lines } from '@souk/pages'

/** Prefixes a message with file, line and column; Vite prints warnings without a location. */
export function atLocation(file: string, text: string, offset: number, message: string): string {
  const { line, column } = new Lines(text).positionAt(offset)
  return `${file}:${line}:${column} ${message}`
}
