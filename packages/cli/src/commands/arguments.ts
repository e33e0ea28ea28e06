import { defaultPlatform, type Platform, platforms } from '@souk/pages'
import { InvalidArgumentError, Option } from 'commander'
import { parseDuration } from '../duration.ts'

/** Parses a positive integer, such as a uid or a limit. */
export function parseNumber(text: string): number {
  const number = Number(text)
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('Use a positive integer.')
  }
  return number
}

/** `--overlap` of a rotation, in ms. */
export function overlapOption(): Option {
  return new Option(
    '--overlap <duration>',
    'how long the old secret stays valid (default: 24h; 0s revokes it now)',
  ).argParser((text) => (/^0(ms|s|m|h|d)?$/.test(text) ? 0 : parseDuration(text)))
}

/** `--platform`, case-insensitive, with or without its space. */
export const platformOption = (): Option => optionOf(`target platform: ${platforms.join(', ')}`)

/** `--platform` of commands that build, with the default of `platformOf`. */
export const targetOption = (): Option =>
  optionOf(`target platform: ${platforms.join(', ')} (default: souk.platform in package.json, else ${defaultPlatform})`)

const optionOf = (description: string) => new Option('--platform <platform>', description).argParser(parsePlatform)

/** `--os`: the operating system, for attributes that differ between Android and iOS. */
export function osOption(): Option {
  return new Option('--os <os>', 'operating system for App and Mini App (default: Android)').choices(['Android', 'iOS'])
}

export function parsePlatform(text: string): Platform {
  const plainly = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
  const found = platforms.find((platform) => plainly(platform) === plainly(text))
  if (!found) throw new InvalidArgumentError(`Use one of ${platforms.join(', ')}.`)
  return found
}

/** Parses a size such as `120KB`, or `120000` bytes, to bytes; as in the output, a KB has 1000. */
export function parseSize(text: string): number {
  const [, number, unit = 'B'] = /^(\d{1,9}(?:\.\d{1,3})?) ?(B|KB|MB)?$/i.exec(text) ?? []
  if (number === undefined) throw new InvalidArgumentError('Use a size such as 120KB or 2MB.')
  return Math.floor(Number(number) * { B: 1, KB: 1e3, MB: 1e6 }[unit.toUpperCase() as 'B' | 'KB' | 'MB'])
}
