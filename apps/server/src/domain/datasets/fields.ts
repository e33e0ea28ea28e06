import { SoukError } from '@souk/contract'
import { closest } from '@souk/pages'
import type { Source, SourceField } from './source.ts'

/** The fields that a caller wants, in its order; all where it does not say. @throws SoukError `parameter_invalid` */
export function selectFields({ fields }: Source, wanted: readonly string[] | undefined): readonly SourceField[] {
  if (wanted === undefined) return fields
  const doubled = wanted.find((name, index) => wanted.indexOf(name) !== index)
  if (doubled !== undefined) {
    throw new SoukError('parameter_invalid', `fields names ${doubled} twice.`, { data: { parameters: ['fields'] } })
  }
  return wanted.map((name) => findField(fields, name, 'fields'))
}

/** A field by its name. @throws SoukError `parameter_invalid` that names the one most like it */
export function findField(fields: readonly SourceField[], name: string, parameter: string): SourceField {
  const found = fields.find((field) => field.name === name)
  if (found) return found
  const known = fields.map((field) => field.name)
  const meant = closest(name, known)
  throw new SoukError(
    'parameter_invalid',
    `${parameter} names ${JSON.stringify(name.slice(0, 64))}, which is no field of this dataset${meant ? `; did you mean ${meant}?` : '.'} Its fields are ${known.join(', ')}.`,
    { data: { parameters: [parameter], field: name.slice(0, 64), ...(meant ? { didYouMean: meant } : {}) } },
  )
}
