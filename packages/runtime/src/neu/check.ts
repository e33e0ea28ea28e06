import { ApiError } from './api.ts'
import type { CheckedType } from './table/entry.ts'

/** Type of an argument; `!` marks a required one. */
export type ArgumentType = CheckedType | `${CheckedType}!`

/** Throws if the options do not match `args`. */
export function check(name: string, options: unknown, args: Record<string, ArgumentType> = {}): void {
  if (typeName(options) !== 'object')
    throw new ApiError(
      `${name}:fail parameter error: parameter should be Object instead of ${capitalize(typeName(options))}`,
    )
  for (const key in args) {
    const value = (options as Record<string, unknown>)[key]
    const [type, isRequired] = args[key]!.split('!')
    const actual = typeName(value)
    if (actual === 'undefined' ? isRequired !== undefined : actual !== type)
      throw new ApiError(
        `${name}:fail parameter error: parameter.${key} should be ${capitalize(type!)} instead of ${capitalize(actual)}`,
      )
  }
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

const capitalize = (word: string) => word[0]!.toUpperCase() + word.slice(1)
