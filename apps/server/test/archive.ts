import { gzipSync } from 'node:zlib'
import type { ReleasePlatform } from '@souk/contract'
import { packTar, type TarEntry } from 'modern-tar'

/** Returns the parts of a build that the server reads. */
export function build(
  platform: ReleasePlatform = 'Mini App',
  files: Record<string, string | Buffer> = {},
  pages: readonly string[] = ['pages/index/index', 'pages/order/order'],
): Record<string, string | Buffer> {
  return {
    'index.html': '<!doctype html><script type="module" crossorigin src="./assets/entry-a1b2c3d4.js"></script>',
    'souk-app.json': JSON.stringify({
      version: 1,
      app: { platform, launch: pages[0] },
      pages: pages.map((path) => ({ path, style: {} })),
    }),
    'assets/entry-a1b2c3d4.js': `export const tea = 'green'\n`.repeat(100),
    ...files,
  }
}

/** Creates a .tar.gz of files followed by arbitrary tar entries. */
export async function archiveOf(
  files: Record<string, string | Buffer>,
  entries: readonly TarEntry[] = [],
): Promise<Buffer> {
  const plain = Object.entries(files).map(
    ([name, body]): TarEntry => ({ header: { name, size: Buffer.byteLength(body) }, body }),
  )
  return gzipSync(await packTar([...plain, ...entries]), { level: 1 })
}
