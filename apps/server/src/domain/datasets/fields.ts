import { SoukError } from '@souk/contract'
import type { Source, SourceField } from './source.ts'

/** The fields that a caller wants, in its order; all where it does not say. @throws SoukError `parameter_invalid` */
export function chosenFields({ fields }: Source, wanted: readonly string[] | undefined): readonly SourceField[] {
  if (wanted === undefined) return fields
  const doubled = wanted.find((name, index) => wanted.indexOf(name) !== index)
  if (doubled !== undefined) {
    throw new SoukError('parameter_invalid', `fields names ${doubled} twice.`, { data: { parameters: ['fields'] } })
  }
  return wanted.map((name) => knownField(fields, name, 'fields'))
}

/** A field by its name. @throws SoukError `parameter_invalid` that names the one most like it */
export function knownField(fields: readonly SourceField[], name: string, parameter: string): SourceField {
  const found = fields.find((field) => field.name === name)
  if (found) return found
  const known = fields.map((field) => field.name)
  const meant = nearest(name, known)
  throw new SoukError(
    'parameter_invalid',
    `${parameter} names ${JSON.stringify(name.slice(0, 64))}, which is no field of this dataset${meant ? `; did you mean ${meant}?` : '.'} Its fields are ${known.join(', ')}.`,
    { data: { parameters: [parameter], field: name.slice(0, 64), ...(meant ? { didYouMean: meant } : {}) } },
  )
}

/** The word most like the one given, where one is like it. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const distances = known.map((each) => ({ each, distance: distanceOf(word.toLowerCase(), each.toLowerCase()) }))
  const best = distances.reduce((a, b) => (b.distance < a.distance ? b : a), { each: '', distance: Infinity })
  return best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.each : undefined
}

/** How many characters have to be put in, taken out, replaced, or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const [before, above] = [rows.at(-2), rows.at(-1)!]
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = before && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : Infinity
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + same, swapped))
    }
    rows.push(row)
  }
  return rows.at(-1)![b.length]!
}
