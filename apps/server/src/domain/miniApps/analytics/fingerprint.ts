import { createHash } from 'node:crypto'

/** Removes the address of the release's folder, so that files are named as in the release. */
export function withoutFolder(stack: string): string {
  return stack.replace(/https?:\/\/[^\s/()]{1,253}\/mini\/[a-z0-9]{15}\/[0-9a-f]{32}\//g, '')
}

/** Maximum number of frames of a stack that distinguish errors. */
const decisiveFrames = 3

/**
 * Identifies errors that have the same cause: the same message except for numbers, thrown in the same place. Files of a
 * build that did not change have the same names in the next release, so that their errors stay in one group.
 *
 * @param stack without the folder of the release
 */
export function fingerprintOf(message: string, stack: string): string {
  const places = stack.split(/[\s()@]/).filter((word) => /\.m?js:\d{1,9}:\d{1,9}$/.test(word))
  const text = [message.replaceAll(/\d+/g, '0'), ...places.slice(0, decisiveFrames)].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
