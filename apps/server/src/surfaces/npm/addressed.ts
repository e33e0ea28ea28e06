import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { DeveloperPackage } from './packages.ts'

/** The package that writes the address of its registry into new mini apps. */
const creator = '@souk/create-miniapp'

/**
 * Returns a package as the registry at `address` has it. That of `npm create` contains the address, because package
 * managers do not tell a program where they installed it from.
 */
export function addressed(found: DeveloperPackage, address: string): DeveloperPackage {
  if (found.manifest.name !== creator) return found
  const file = JSON.stringify({ registry: address })
  const tarball = gzipSync(withFile(gunzipSync(found.tarball), 'package/registry.json', file))
  const digest = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update(tarball).digest(encoding)
  return { ...found, tarball, shasum: digest('sha1', 'hex'), integrity: `sha512-${digest('sha512', 'base64')}` }
}

/** Size of a header, and the multiple to which files are filled, in bytes. */
const block = 512

/** Adds a file to the start of a tar archive. Its path must be ASCII, and shorter than 100 characters. */
function withFile(archive: Buffer, path: string, text: string): Buffer {
  const content = Buffer.from(text)
  const header = Buffer.alloc(block)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  header.write(path, 0)
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(content.length, 11), 124)
  // The time of files in tarballs of npm, so that each request gets the same bytes.
  header.write(octal(499_162_500, 11), 136)
  // The checksum is computed with spaces in its place.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\0' + '00', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (block - 1)), archive])
}
