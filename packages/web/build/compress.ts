import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /^assets\/.*\.(js|css|svg)$/
const minSize = 1024

/** Compresses the text files of the build with Brotli and gzip, so that the server does not compress at run time. */
export function compressed(): Plugin {
  return {
    name: 'souk-compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      await Promise.all(
        Object.keys(bundle)
          .filter((name) => compressible.test(name))
          .map((name) => compress(join(dir, name))),
      )
    },
  }
}

/** Writes a compressed copy of a file beside it for each encoding, unless it is small. */
export async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < minSize) return
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: quality }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)])
}
