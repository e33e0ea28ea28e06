import { readSecretFile, SecretFileError, writeSecretFile } from './secretFile.ts'

/**
 * Reads master keys from a text: 64 hexadecimal digits each, separated by white space or commas. A ring lists its keys
 * oldest first.
 *
 * @throws RangeError with the end of a sentence about the text, which contains no key
 */
export function parseKeyRing(text: string): Buffer[] {
  const keys = text.split(/[\s,]+/).filter(Boolean)
  const wrong = keys.findIndex((key) => !/^[0-9a-f]{64}$/i.test(key))
  if (wrong !== -1) throw new RangeError(`key ${wrong + 1} does not consist of 64 hexadecimal digits`)
  for (const [index, key] of keys.entries()) {
    const first = keys.findIndex((other) => other.toLowerCase() === key.toLowerCase())
    if (first < index) throw new RangeError(`key ${index + 1} repeats key ${first + 1}`)
  }
  return keys.map((key) => Buffer.from(key, 'hex'))
}

/** Returns the content of a ring's file: one key per line. */
export function formatKeyRing(keys: readonly Buffer[]): string {
  return keys.map((key) => `${key.toString('hex')}\n`).join('')
}

/**
 * Returns the master keys in a file, oldest first; none if the file is missing or empty.
 * @throws SecretFileError if the file cannot be read or is damaged
 */
export function readKeyRing(path: string): Buffer[] {
  const content = readSecretFile(path)
  try {
    return parseKeyRing(content)
  } catch (error) {
    throw new SecretFileError(
      `${path} is damaged: it must contain master keys, each once and on a line of its own, but ` +
        `${(error as Error).message}. Restore it from a backup, or set SOUK_MASTER_KEY to the keys of this installation.`,
    )
  }
}

/**
 * Writes master keys to a file that only its owner can read. After a crash it has the old or the new keys.
 * @throws SecretFileError if the file cannot be written
 */
export async function writeKeyRing(path: string, keys: readonly Buffer[]): Promise<void> {
  await writeSecretFile(path, formatKeyRing(keys))
}
