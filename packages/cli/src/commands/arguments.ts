import { type Platform, platforms } from '@souk/pages'
import { InvalidArgumentError, Option } from 'commander'

/** A whole number from 1, such as a uid or a limit. */
export function parseNumber(text: string): number {
  const number = Number(text)
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('It is a whole number from 1.')
  }
  return number
}

/** `--platform`, written in any case, with or without its space. */
export function platformOption(byDefault?: Platform): Option {
  const option = new Option('--platform <platform>', `the build: ${platforms.join(', ')}`).argParser(parsePlatform)
  return byDefault ? option.default(byDefault) : option
}

/** `--os`: whose conventions count where the document tells Android from iOS. */
export function osOption(): Option {
  return new Option('--os <os>', 'the system under App and Mini App (default: Android)').choices(['Android', 'iOS'])
}

export function parsePlatform(text: string): Platform {
  const plainly = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
  const found = platforms.find((platform) => plainly(platform) === plainly(text))
  if (!found) throw new InvalidArgumentError(`It is one of ${platforms.join(', ')}.`)
  return found
}
