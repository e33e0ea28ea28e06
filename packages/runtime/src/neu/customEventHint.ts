import {
  type CustomEvent,
  type CustomEventDeclarations,
  findEventsProblem,
  findMalformed,
  findRefusal,
} from '@souk/contract/customEvents'

const hints = {
  event: 'is not counted unless the console declares it: custom-events.json does not have this event',
  field: 'is not counted unless the console declares it: custom-events.json does not have this field',
  value: 'is not counted: the field cannot have this value',
} as const

/** Returns why a report will not be counted, as far as the project knows; undefined if it will. */
export function hintOf(declared: object, name: string, fields: object): string | undefined {
  const problem = findEventsProblem(declared)
  if (problem !== undefined) return `custom-events.json: ${problem}.`
  const malformed = findMalformed(name, fields)
  if (malformed !== undefined) return `${malformed}.`
  const refusal = findRefusal(withFields(declared as CustomEventDeclarations), { name, fields } as CustomEvent)
  return refusal && `${refusal.name} ${hints[refusal.reason]}.`
}

/** Declarations in a file may omit their fields. */
const withFields = (declared: CustomEventDeclarations): CustomEventDeclarations =>
  Object.fromEntries(Object.entries(declared).map(([name, { fields = {} }]) => [name, { fields }]))
