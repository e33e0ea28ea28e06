import { Lines } from '@souk/pages'

/** What is wrong in a file of the project, behind its place there. Vite tells of warnings without it. */
export function atLocation(file: string, text: string, offset: number, message: string): string {
  const { line, column } = new Lines(text).positionAt(offset)
  return `${file}:${line}:${column} ${message}`
}
