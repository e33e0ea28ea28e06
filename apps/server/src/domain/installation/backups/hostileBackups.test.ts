import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createTradeFixture } from '../../../../test/tradeFixture.ts'
import { masterKeyId } from '../../../kernel/vault.ts'
import { readArchive } from './archive.ts'
import type { Figures, Manifest } from './format.ts'
import { checkBackup, makeBackup, restoreBackup } from './index.ts'

const passphrase = 'correct horse battery staple'
const masterKey = randomBytes(32)
const progress = () => {}
const workFactor = 10
/** SQL that a name must not smuggle into a statement. */
const statement = `trades_default; create table stolen (id int); --`

/** An entry of a tar archive. `size` is what the header says. */
interface RawEntry {
  name: string
  content?: Buffer
  type?: string
  linkname?: string
  size?: number | string
}

let folder: string
let source: FreshDatabase
/** The entries of a valid backup. */
const valid: { name: string; content: Buffer }[] = []
let target: FreshDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-hostile-'))
  source = await freshDatabase()
  target = await emptyDatabase()
  await source.sql`insert into installation (environment, key_id) values ('live', ${masterKeyId(masterKey)})`
  const shop = await createTradeFixture(source.sql)
  await shop.pay(await shop.create(), 'succeeded')
  const path = join(folder, 'souk.age')
  await makeBackup({ url: source.url, path, passphrase, workFactor, masterKeys: [masterKey], progress })
  for await (const { name, content } of readArchive(path, passphrase))
    valid.push({ name, content: await buffer(content) })
})
afterAll(async () => {
  await source.drop()
  await target.drop()
  await rm(folder, { recursive: true })
})

/** Returns an entry as in a tar file, padded to blocks of 512 bytes. */
function tarEntry({ name, content = Buffer.alloc(0), type = '0', linkname = '', size = content.length }: RawEntry) {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000600\0', 100)
  header.write(typeof size === 'string' ? size : `${size.toString(8).padStart(11, '0')}\0`, 124, 12)
  header.write('00000000000\0', 136)
  header.fill(' ', 148, 156)
  header.write(type, 156)
  header.write(linkname, 157, 100)
  header.write('ustar\0', 257)
  header.write('00', 263)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc(-content.length & 511)])
}

/** Encrypts entries as a backup, with the end of the archive unless it is cut off. */
async function write(entries: readonly RawEntry[], end: Buffer = Buffer.alloc(1024)): Promise<string> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  const path = join(folder, `${randomBytes(6).toString('hex')}.age`)
  await writeFile(path, await encrypter.encrypt(gzipSync(Buffer.concat([...entries.map(tarEntry), end]))))
  return path
}

const check = (path: string) => checkBackup(path, passphrase, progress)
const checkEntries = async (entries: readonly RawEntry[], end?: Buffer) => check(await write(entries, end))

/** Changes a JSON entry of the valid backup. */
function changed(entry: string, change: (value: never) => unknown): RawEntry[] {
  return valid.map(({ name, content }) => {
    if (name !== entry) return { name, content }
    const value = JSON.parse(content.toString()) as never
    change(value)
    return { name, content: Buffer.from(JSON.stringify(value)) }
  })
}

/** Sets a value at a path such as `tables.0.name`; undefined removes it. */
function setAt(object: object, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop()!
  const parent = names.reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, { ...object })
  const owner = names.length === 0 ? (object as Record<string, unknown>) : parent
  if (value === undefined) delete owner[last]
  else owner[last] = value
}

test('the entries of a backup are accepted as they are', async () => {
  await expect(checkEntries(valid)).resolves.toMatchObject({ masterKeys: [masterKey] })
})

const huge = 'x'.repeat(100_000)
const wrongValues: Record<string, unknown> = {
  'missing value': undefined,
  null: null,
  'number as text': '1',
  'negative number': -1,
  fraction: 1.5,
  'huge number': 1e300,
  'huge text': huge,
  'empty text': '',
  'list of lists': [[]],
  'empty list': [],
  object: { a: 1 },
  boolean: true,
  statement,
}

/** Fields of the manifest, and what would be valid among the values above. */
const manifestFields: Record<string, string[]> = {
  format: ['huge number'],
  souk: ['number as text'],
  time: [],
  environment: [],
  migrations: [],
  'migrations.0': [],
  'migrations.0.name': [],
  'migrations.0.checksum': [],
  tables: [],
  'tables.0': [],
  'tables.0.name': [],
  'tables.0.columns': [],
  'tables.0.columns.0': [],
  'tables.0.partitions': ['missing value'],
  objects: ['missing value'],
  'objects.count': [],
  'objects.size': [],
  'PARTITIONED.partitions': ['missing value'],
  'PARTITIONED.partitions.0': [],
  'PARTITIONED.partitions.0.name': [],
  'PARTITIONED.partitions.0.bound': [],
}

test.each(Object.entries(manifestFields))(
  'a manifest with a wrong %s is refused with its reason',
  async (field, allowed) => {
    for (const [what, value] of Object.entries(wrongValues)) {
      if (allowed.includes(what)) continue
      const entries = changed('manifest.json', (manifest: Manifest) => {
        manifest.objects = { count: 1, size: 1 }
        const partitioned = manifest.tables.findIndex(({ partitions }) => partitions)
        setAt(manifest, field.replace('PARTITIONED', `tables.${partitioned}`), value)
      })
      const error = await checkEntries(entries).catch((reason: unknown) => reason)
      expect(error, `${field}: ${what}`).toMatchObject({
        code: expect.stringMatching(/^backup_(damaged|version_unsupported)$/),
        message: expect.stringMatching(/: manifest\.json: .* is .*, but must be .*\. Use another copy of it\.$/),
      })
      expect((error as Error).message.length, `${field}: ${what}`).toBeLessThan(500)
    }
  },
)

const figureFields: Record<string, string[]> = {
  rows: [],
  'rows.apps': ['huge number'],
  'rows.unknown': ['missing value'],
  sequences: ['object'],
  'sequences.users_uid_seq': ['missing value', 'number as text'],
  ledger: ['empty list'],
  'ledger.0': [],
  'ledger.0.currency': ['number as text'],
  'ledger.0.owner': ['number as text', 'statement'],
  'ledger.0.balance': ['number as text'],
  audit: [],
  'audit.head': ['empty text'],
  'audit.broken': [],
}

test.each(Object.entries(figureFields))(
  'figures with a wrong %s are refused with their reason',
  async (field, allowed) => {
    for (const [what, value] of Object.entries(wrongValues)) {
      if (allowed.includes(what)) continue
      const entries = changed('figures.json', (figures: Figures) => setAt(figures, field, value))
      await expect(checkEntries(entries), `${field}: ${what}`).rejects.toMatchObject({
        code: 'backup_damaged',
        message: expect.stringContaining('figures.json: '),
      })
    }
  },
)

test.each(['{', '', 'null', '[]', '"x"', '1', '{}', '\0', '{"format":1}', '['.repeat(100_000)])(
  'a manifest of %s is refused with its reason',
  async (text) => {
    const entries = valid.map(({ name, content }) => ({
      name,
      content: name === 'manifest.json' ? Buffer.from(text) : content,
    }))
    await expect(checkEntries(entries)).rejects.toMatchObject({
      code: 'backup_damaged',
      message: expect.stringContaining('manifest.json: '),
    })
  },
)

test.each([
  ['table', (manifest: Manifest) => setAt(manifest, 'tables.0.name', 'not_in_the_schema')],
  ['column', (manifest: Manifest) => setAt(manifest, 'tables.0.columns.0', 'not_in_the_schema')],
  ['table', (manifest: Manifest) => setAt(manifest, 'tables.0.name', statement)],
  ['partition', (manifest: Manifest) => addPartition(manifest, statement)],
  ['partition', (manifest: Manifest) => addPartition(manifest, 'accounts')],
  ['partition', (manifest: Manifest) => addPartition(manifest, 'trades_2026_1')],
  ['partition', (manifest: Manifest) => addPartition(manifest, 'callbacks_2026_01')],
])('a %s that the schema does not have is refused by name', async (_, change) => {
  const entries = changed('manifest.json', change)
  await expect(checkEntries(entries)).rejects.toMatchObject({
    code: 'backup_damaged',
    message: expect.stringMatching(/ is ".*", but must be (a name in the schema|the name of a partition)/),
  })
})

function addPartition({ tables }: Manifest, name: string): void {
  const trades = tables.find((table) => table.name === 'all_trades')!
  trades.partitions!.push({ name, bound: `FOR VALUES FROM ('f') TO ('ff')` })
}

test('words of the migrations that are no tables, columns or sequences are refused before a row is written', async () => {
  const cases: [string, RawEntry[]][] = [
    [
      'there is no table select',
      changed('manifest.json', ({ tables }: Manifest) => tables.push({ name: 'select', columns: ['from'] })),
    ],
    [
      'accounts has no column select',
      changed('manifest.json', (it: Manifest) => columnsOf(it, 'accounts').push('select')),
    ],
    [
      'it lacks the column enabled of accounts',
      changed('manifest.json', (it: Manifest) =>
        columnsOf(it, 'accounts').splice(columnsOf(it, 'accounts').indexOf('enabled'), 1),
      ),
    ],
    [
      'it lacks the table api_keys',
      changed('manifest.json', ({ tables }: Manifest) => {
        tables.splice(
          tables.findIndex(({ name }) => name === 'api_keys'),
          1,
        )
      }),
    ],
  ]
  for (const [reason, changes] of cases) {
    const { tables } = JSON.parse(changes[0]!.content!.toString()) as Manifest
    const names = new Set(tables.map(({ name }) => name))
    const entries = changes
      .filter(({ name }) => !name.startsWith('tables/') || names.has(name.split('/')[1]!))
      .map((entry) => {
        if (entry.name !== 'figures.json') return entry
        const figures = JSON.parse(entry.content!.toString()) as Figures
        const rows = Object.fromEntries([...names, 'jobs'].map((name) => [name, figures.rows[name] ?? 0]))
        return { ...entry, content: Buffer.from(JSON.stringify({ ...figures, rows })) }
      })
    const backup = await checkEntries(entries)
    await expect(restoreBackup({ url: target.url, backup, progress }), reason).rejects.toMatchObject({
      code: 'backup_damaged',
      message: expect.stringContaining(reason),
    })
    expect(await target.sql`select from installation`).toEqual([])
  }
  const unknown = changed('figures.json', ({ sequences }: Figures) => Object.assign(sequences, { select: '1' }))
  const backup = await checkEntries(unknown)
  await expect(restoreBackup({ url: target.url, backup, progress })).rejects.toThrow('there is no sequence select')
})

const columnsOf = ({ tables }: Manifest, table: string) => tables.find(({ name }) => name === table)!.columns

test('entries of several installations are refused', async () => {
  const otherKey = valid.map(({ name, content }) => ({
    name,
    content: name === 'master-key' ? Buffer.from(`${randomBytes(32).toString('hex')}\n`) : content,
  }))
  const cases = [
    ['its rows need the master key', otherKey],
    [
      'its rows are of a live installation, its manifest of a sandbox one',
      changed('manifest.json', (manifest: Manifest) => setAt(manifest, 'environment', 'sandbox')),
    ],
  ] as const
  for (const [reason, entries] of cases) {
    const backup = await checkEntries(entries)
    await expect(restoreBackup({ url: target.url, backup, progress })).rejects.toMatchObject({
      code: 'restore_mismatch',
      message: expect.stringContaining(reason),
    })
    expect(await target.sql`select from installation`).toEqual([])
  }
})

const asIs = (): RawEntry[] => valid.map((entry) => ({ ...entry }))
const before = (entry: RawEntry): RawEntry[] => asIs().toSpliced(2, 0, entry)
const indexOf = (name: string) => valid.findIndex((entry) => entry.name === name)

test.each<[string, () => RawEntry[]]>([
  ['a symbolic link', () => before({ name: 'tables/accounts/000001', type: '2', linkname: '/etc/passwd' })],
  ['a hard link', () => before({ name: 'tables/accounts/000001', type: '1', linkname: '/etc/passwd' })],
  ['a directory', () => before({ name: 'tables', type: '5' })],
  ['a device', () => before({ name: 'tables/accounts/000001', type: '3' })],
  ['a named pipe', () => before({ name: 'tables/accounts/000001', type: '6' })],
  [
    'a symbolic link in place of the keys',
    () => asIs().with(1, { name: 'master-key', type: '2', linkname: '/etc/passwd' }),
  ],
  ['an absolute path', () => before({ name: '/etc/passwd' })],
  ['a path upwards', () => before({ name: '../../master-key' })],
  ['a path upwards in a table', () => before({ name: 'tables/../accounts/000001' })],
  ['an unknown table', () => before({ name: 'tables/stolen/000001' })],
  ['a property of objects', () => before({ name: 'tables/__proto__/000001', content: Buffer.from('x\n') })],
  ['an empty name', () => before({ name: '' })],
  ['an entry before the manifest', () => [{ name: 'jobs/000001' }, ...asIs()]],
  ['a second manifest', () => before(valid[0]!)],
  ['second keys', () => before(valid[1]!)],
  ['no keys', () => asIs().toSpliced(1, 1)],
  ['empty keys', () => asIs().with(1, { name: 'master-key' })],
  ['damaged keys', () => asIs().with(1, { name: 'master-key', content: Buffer.from('00') })],
  ['a table twice', () => asIs().toSpliced(3, 0, valid[2]!)],
  [
    'a part that was left out',
    () => asIs().with(2, { ...valid[2]!, name: valid[2]!.name.replace('000001', '000002') }),
  ],
  ['tables in another order', () => [...valid.slice(0, 2), valid[3]!, valid[2]!, ...valid.slice(4)]],
  ['figures before the jobs', () => asIs().toSpliced(indexOf('jobs/000001') - 1, 0, valid.at(-1)!)],
  ['an entry after the last one', () => [...asIs(), { name: 'tables/accounts/000001' }]],
  ['a size that is too large', () => asIs().with(2, { ...valid[2]!, size: valid[2]!.content.length + 512 })],
  ['a size beyond the end', () => asIs().with(-1, { ...valid.at(-1)!, size: 2 ** 32 })],
  ['a size that is too small', () => asIs().with(2, { ...valid[2]!, size: 1 })],
  ['a negative size', () => before({ name: 'tables/accounts/000001', size: '-1' })],
  [
    'a size in base 256',
    () => before({ name: 'tables/accounts/000001', size: '\x80\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f' }),
  ],
  [
    'a manifest that fills the memory',
    () => asIs().with(0, { name: 'manifest.json', content: Buffer.alloc(8_000_000, ' ') }),
  ],
  ['keys that fill the memory', () => asIs().with(1, { name: 'master-key', content: Buffer.alloc(8_000_000, ' ') })],
  [
    'figures that fill the memory',
    () => asIs().with(-1, { name: 'figures.json', content: Buffer.alloc(8_000_000, ' ') }),
  ],
  ['no entry', () => []],
])('an archive with %s is refused with its reason', async (_, entries) => {
  await expect(checkEntries(entries())).rejects.toMatchObject({
    code: 'backup_damaged',
    message: expect.stringMatching(/ Use another copy of it\.$/),
  })
})

test('an archive that ends within an entry is refused', async () => {
  const whole = Buffer.concat(valid.map(tarEntry))
  for (const length of [1, 511, 512, 1000, whole.length >> 1, whole.length - 600]) {
    await expect(checkEntries([], whole.subarray(0, length)), `${length} bytes`).rejects.toMatchObject({
      code: 'backup_damaged',
    })
  }
})

test('tables that reference each other in a circle are named, and nothing is written', async () => {
  const ring = await freshDatabase()
  await ring.sql`insert into installation (environment, key_id) values ('live', ${masterKeyId(masterKey)})`
  await ring.sql`create table ring_a (id int primary key, b int)`
  await ring.sql`create table ring_b (id int primary key, a int references ring_a)`
  await ring.sql`alter table ring_a add foreign key (b) references ring_b`
  const path = join(folder, 'ring.age')
  await expect(
    makeBackup({ url: ring.url, path, passphrase, workFactor, masterKeys: [masterKey], progress }),
  ).rejects.toMatchObject({
    code: 'copy_circular_references',
    message: expect.stringContaining('ring_a, ring_b reference each other'),
  })
  await ring.drop()
})
