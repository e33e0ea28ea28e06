import { ApiError } from './api.ts'

/** What an argument must be; with `!` it must be there. */
export type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'string!' | 'number!' | 'object!' | 'array!'

/** Throws where the options are not as `args` has them. */
export function check(name: string, options: unknown, args: Record<string, Kind> = {}): void {
  if (kindOf(options) !== 'object')
    throw new ApiError(
      `${name}:fail parameter error: parameter should be Object instead of ${capital(kindOf(options))}`,
    )
  for (const key in args) {
    const value = (options as Record<string, unknown>)[key]
    const [kind, isRequired] = args[key]!.split('!')
    const found = kindOf(value)
    if (found === 'undefined' ? isRequired !== undefined : found !== kind)
      throw new ApiError(
        `${name}:fail parameter error: parameter.${key} should be ${capital(kind!)} instead of ${capital(found)}`,
      )
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)
