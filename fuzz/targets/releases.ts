import { gunzipSync, gzipSync } from 'node:zlib'
import { maxReleaseFiles, maxReleaseSize, maxSourceMapSize, SoukError } from '@souk/contract'
import fc from 'fast-check'
import { inlineScripts } from '../../apps/server/src/domain/miniApps/releases/inlineScripts.ts'
import { readManifest } from '../../apps/server/src/domain/miniApps/releases/manifest.ts'
import {
  ArchiveError,
  type Build,
  readArchive,
  readSourceMaps,
} from '../../apps/server/src/domain/miniApps/releases/readArchive.ts'
import { archiveOf } from '../../apps/server/test/archive.ts'
import { textOf } from '../grammar/text.ts'
import { hostileText, hostileValue } from '../grammar/values.ts'
import { asyncTarget, functionTarget, Violation } from '../target.ts'

const page = { path: 'pages/index/index', style: {} }
const files: Build['files'] = new Map([
  ['index.html', { hash: '', size: 0, gzipped: false, content: new Uint8Array() }],
])
const manifest = { version: 1, app: { platform: 'Mini App', launch: page.path }, pages: [page] }

/** The manifest of a release. */
const manifests = functionTarget({
  name: 'releases/manifest',
  surface: 'releases',
  weight: 4,
  inputs: fc.oneof(
    textOf({
      samples: [JSON.stringify(manifest)],
      tokens: ['{', '}', '[', ']', ',', ':', '"', 'null', '1', '\\u0000', '"path"'],
    }),
    fc
      .record({ version: hostileValue, app: hostileValue, pages: fc.array(fc.record({ path: hostileValue })) })
      .map((value) => JSON.stringify({ ...manifest, ...value })),
  ),
  check(text) {
    refusedOrDone(() => readManifest({ files, manifest: text, inlineScripts: [] }))
  },
})

function refusedOrDone<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof SoukError && error.code === 'release_refused') return undefined
    throw error
  }
}

/** The document of a release, whose inline scripts are allowed to run. */
const documents = functionTarget({
  name: 'releases/inlineScripts',
  surface: 'releases',
  weight: 4,
  inputs: textOf({
    samples: [
      '<!doctype html><script type="module" src="./a.js"></script><script>window.a = 1\r\n</script ><p>x</p>',
      '<script a="</script>">1</script><!-- <script> --><SCRIPT\n>2</ScRiPt><script src=x>3</script>',
    ],
    tokens: [
      '<script',
      '<script>',
      '</script',
      '</script>',
      '>',
      '<',
      '!--',
      '-->',
      ' src',
      '=',
      '"',
      "'",
      '\n',
      '/',
      'x',
    ],
  }),
  check(text) {
    const hashes = inlineScripts(Buffer.from(text))
    if (hashes.length > 20) throw new Violation('limit', `${hashes.length} scripts are hashed`)
    const wrong = hashes.find((hash) => !/^sha256-[\w+/]{43}=$/.test(hash))
    if (wrong) throw new Violation('form', `${wrong} cannot be part of a policy`)
  },
})

const path = fc.oneof(
  fc.constantFrom(
    'index.html',
    './a/b.js',
    'a//b',
    '../x',
    '/etc/passwd',
    'a/../b',
    '.git/config',
    'A\\B',
    'a/./b',
    '.',
  ),
  fc.tuple(hostileText, hostileText).map((parts) => parts.join('/')),
)
const entry = fc.record({
  name: path,
  type: fc.constantFrom('file', 'file', 'file', 'directory', 'symlink', 'link', 'character-device', 'fifo'),
  body: fc.string({ maxLength: 50 }),
  pax: fc.option(
    fc.dictionary(fc.constantFrom('path', 'size', 'linkpath', 'comment', 'x'), hostileText, { maxKeys: 2 }),
    {
      nil: undefined,
    },
  ),
})
const limits = { files: maxReleaseFiles, size: maxReleaseSize, sourceMap: maxSourceMapSize }
const byteChange = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) })

/** Archives of a release: entries with hostile names and extended headers, then changed bytes. */
const archives = asyncTarget({
  name: 'releases/archive',
  surface: 'releases',
  weight: 0.3,
  inputs: fc.record({
    entries: fc.array(entry, { maxLength: 5 }),
    changes: fc.oneof(fc.constant([]), fc.array(byteChange, { maxLength: 8 })),
    afterPacking: fc.boolean(),
  }),
  async check({ entries, changes, afterPacking }) {
    const tar = await packed(entries as Entry[])
    if (!tar) return
    const archive = afterPacking
      ? changed(gzipSync(tar, { level: 1 }), changes)
      : gzipSync(changed(tar, changes), { level: 1 })
    const refused = (error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error
    }
    const build = await readArchive(archive, limits).catch(refused)
    await readSourceMaps(archive, limits).catch(refused)
    for (const name of build?.files.keys() ?? []) {
      if (name.split('/').some((part) => part === '' || part === '..' || part.startsWith('.')) || name.length > 255) {
        throw new Violation('path', `${JSON.stringify(name)} is accepted as the path of a file`)
      }
    }
  },
})

type TarEntry = NonNullable<Parameters<typeof archiveOf>[1]>[number]

interface Entry {
  name: string
  type: NonNullable<TarEntry['header']['type']>
  body: string
  pax?: Record<string, string>
}

/** Returns undefined if the packer rejects an entry. */
async function packed(entries: readonly Entry[]): Promise<Buffer | undefined> {
  const all = entries.map(({ name, type, body, pax }): TarEntry => {
    const content = type === 'file' ? body : ''
    return { header: { name, type, size: Buffer.byteLength(content), ...(pax && { pax }) }, body: content }
  })
  const archive = await archiveOf({}, all).catch(() => undefined)
  return archive && gunzipSync(archive)
}

function changed(bytes: Buffer, changes: readonly { at: number; byte: number }[]): Buffer {
  for (const { at, byte } of changes) bytes[Math.floor(at * bytes.length)] = byte
  return bytes
}

export const releases = [manifests, documents, archives]
