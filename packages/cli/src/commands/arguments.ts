import { InvalidArgumentError } from 'commander'

/** A whole number from 1, such as a uid or a limit. */
export function parseNumber(text: string): number {
  const number = Number(text)
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('It is a whole number from 1.')
  }
  return number
}
