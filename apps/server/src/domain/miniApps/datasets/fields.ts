import { SoukError } from '@souk/contract'
import { closest } from '@souk/pages'
import type { Source, SourceField } from './source.ts'

/** Returns the requested fields in the requested order, or all fields. @throws SoukError `parameter_invalid` */
export function selectFields({ fields }: Source, wanted: readonly string[] | undefined): readonly SourceField[] {
  if (wanted === undefined) return fields
  const duplicate = wanted.find((name, index) => wanted.indexOf(name) !== index)
  if (duplicate !== undefined) {
    throw new SoukError('parameter_invalid', `fields lists ${duplicate} twice.`, { data: { parameters: ['fields'] } })
  }
  return wanted.map((name) => findField(fields, name, 'fields'))
}

/** Returns a field by its name. @throws SoukError `parameter_invalid` with the closest match */
export function findField(fields: readonly SourceField[], name: string, parameter: string): SourceField {
  const found = fields.find((field) => field.name === name)
  if (found) return found
  const names = fields.map((field) => field.name)
  const suggestion = closest(name, names)
  throw new SoukError(
    'parameter_invalid',
    `${parameter}: ${JSON.stringify(name.slice(0, 64))} is not a field of this dataset${suggestion ? `; did you mean ${suggestion}?` : '.'} Its fields are ${names.join(', ')}.`,
    { data: { parameters: [parameter], field: name.slice(0, 64), ...(suggestion ? { didYouMean: suggestion } : {}) } },
  )
}
