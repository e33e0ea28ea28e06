import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { day, second } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FullContext } from '../src/domain/context.ts'
import {
  collectObjects,
  countContents,
  moveContents,
  storeObject,
  verifyObjects,
} from '../src/domain/installation/index.ts'
import { readFile } from '../src/domain/miniApps/index.ts'
import { examine } from '../src/domain/operations/index.ts'
import { checkStorage } from '../src/installation.ts'
import { createObjectStorage, type ObjectStorage, type ObjectStorageSettings } from '../src/kernel/objectStorage.ts'
import { archiveOf, build } from './archive.ts'
import { runCommand } from './commandLine.ts'
import { startTestStorage, swift, type TestStorage } from './objectStorage.ts'
import { freePort } from './server.ts'
import { startTestSouk, type TestSouk } from './souk.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(300_000)])
const progress = () => {}

describe.skipIf(swift.isMissing)(swift.name('with an object storage'), () => {
  let storage: TestStorage
  let objects: ObjectStorage
  let souk: TestSouk
  let app: { appid: string; secret: string }
  const opened: ObjectStorage[] = []
  let uploads = 0

  beforeAll(async () => {
    storage = await startTestStorage()
    objects = openStorage()
    souk = await startTestSouk({ objects, storage: 's3' })
    app = (await souk.console('POST', '/console/v1/apps', { name: 'Stored' })).body
  }, 60 * second)
  afterAll(async () => {
    await souk.stop()
    await Promise.all(opened.map((each) => each.close()))
    await storage.stop()
  })

  function openStorage(changed: Partial<ObjectStorageSettings> = {}): ObjectStorage {
    const created = createObjectStorage({ ...storage.settings, ...changed }, { timeout: 5 * second })
    opened.push(created)
    return created
  }

  async function uploadImage(content: Buffer, to = souk) {
    const form = new FormData()
    // Each upload needs its own sign.
    const timestamp = String(to.clock.real() + ++uploads)
    const text = `appid=${app.appid}secret=${app.secret}timestamp=${timestamp}`
    form.append('appid', app.appid)
    form.append('timestamp', timestamp)
    form.append('sign', createHash('sha256').update(text).digest('hex'))
    form.append('fileData', new Blob([new Uint8Array(content)]), 'a.png')
    const answer = await to.send('POST', '/neuopenapi/file/upload', { body: form })
    return { ...answer, path: URL.parse(answer.response?.url ?? '')?.pathname ?? '' }
  }

  async function uploadRelease(files: Record<string, string | Buffer>): Promise<{ releaseId: string; url: string }> {
    const form = new FormData()
    form.append('version', `1.${++uploads}`)
    form.append('fileData', new Blob([new Uint8Array(await archiveOf(build('Mini App', files)))]), 'release.tar.gz')
    const headers = { Authorization: `Bearer ${souk.adminToken}` }
    const url = `${souk.url}/console/v1/apps/${app.appid}/releases`
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    expect(answer.status).toBe(200)
    return answer.json() as Promise<{ releaseId: string; url: string }>
  }

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(souk.url + path, { headers })
    return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
  }
  const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  const nameOf = (content: Buffer) => `sha256/${hashOf(content)}`
  const existsInStorage = async (content: Buffer) => {
    const found = await objects.get(nameOf(content))
    found?.destroy()
    return found !== undefined
  }
  const after = (time: number): FullContext => ({
    ...souk.context,
    clock: {
      ...souk.clock,
      isWrong: () => false,
      real: () => souk.clock.real() + time,
      now: () => souk.clock.now() + time,
    },
  })

  test('images are stored as objects by their hash, and served unchanged', async () => {
    const { path } = await uploadImage(png)
    const image = await read(path)
    expect(image.body.equals(png)).toBe(true)
    expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(image.headers.get('content-length')).toBe(String(png.length))
    expect(await existsInStorage(png)).toBe(true)
    const rows = await souk.context.sql`select from files where content is not null`
    expect(rows).toHaveLength(0)
  })

  test('releases are stored as objects, with the same headers, compression and validation as before', async () => {
    const script = 'const answer = 42\n'.repeat(200)
    const picture = randomBytes(200_000)
    const { url } = await uploadRelease({ 'assets/a.js': script, 'static/a.png': picture })
    const served = await read(`${url}assets/a.js`)
    expect(String(served.body)).toBe(script)
    expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const tag = served.headers.get('etag')!
    expect((await read(`${url}assets/a.js`, { 'If-None-Match': tag })).status).toBe(304)
    expect(String((await read(`${url}assets/a.js`, { 'Accept-Encoding': 'identity' })).body)).toBe(script)
    expect((await read(`${url}static/a.png`)).body.equals(picture)).toBe(true)
    expect(await souk.context.sql`select from release_content_parts`).toHaveLength(0)
    expect(await existsInStorage(picture)).toBe(true)
  })

  test('an object that was changed is not served, whatever its size', async () => {
    const [small, large] = [randomBytes(1000), randomBytes(400_000)]
    const { url } = await uploadRelease({ 'static/small.png': small, 'static/large.png': large })
    for (const content of [small, large]) {
      const changed = Buffer.from(content)
      changed[changed.length - 1]! ^= 1
      await objects.put({ name: nameOf(content), hash: hashOf(changed), size: changed.length, open: () => changed })
    }
    expect(await read(`${url}static/small.png`)).toMatchObject({ status: 500 })
    await expect(read(`${url}static/large.png`)).rejects.toThrow()
    expect((await verifyObjects(souk.context, progress)).damaged.sort()).toEqual([hashOf(small), hashOf(large)].sort())
    for (const content of [small, large])
      await objects.put({ name: nameOf(content), hash: hashOf(content), size: content.length, open: () => content })
    expect((await read(`${url}static/large.png`)).body.equals(large)).toBe(true)
  })

  test('the storage rejects content that does not match its hash, and wrong credentials', async () => {
    const content = randomBytes(100)
    const name = nameOf(content)
    const other = { name, hash: hashOf(randomBytes(1)), size: content.length, open: () => content }
    await expect(objects.put(other)).rejects.toThrow(/status 400/)
    const secretAccessKey = 'the-wrong-secret'
    const failure = await openStorage({ secretAccessKey })
      .get(name)
      .catch((error: Error) => error.message)
    expect(failure).toMatch(/status 403 \(SignatureDoesNotMatch\)/)
    expect(failure).not.toContain(secretAccessKey)
  })

  test('uploads and files fail with 503 while the storage is down, and nothing is stored', async () => {
    const { path } = await uploadImage(png)
    const url = `http://127.0.0.1:${await freePort()}/souk/`
    const away = await startTestSouk({ database: souk.database, objects: openStorage({ url }), storage: 's3' })
    try {
      const content = Buffer.concat([png, randomBytes(1)])
      const answer = await uploadImage(content, away)
      expect(answer).toMatchObject({ status: 503, code: 'storage_unavailable' })
      expect((await fetch(away.url + path)).status).toBe(503)
      const [found] = await souk.context.sql`
        select state from stored_objects where hash = ${Buffer.from(hashOf(content), 'hex')}`
      expect(found).toEqual({ state: 'uploading' })
      expect(away.logged.join('')).toContain('object storage failed')
      expect(away.logged.join('')).not.toContain(storage.settings.secretAccessKey)
    } finally {
      await away.stop()
    }
  })

  test('a storage whose connection breaks during an answer is unavailable, not an internal error', async () => {
    const { path } = await uploadImage(Buffer.concat([png.subarray(0, 500), randomBytes(8)]))
    const server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-length': 1000 })
      answer.write('half', () => answer.destroy())
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const broken = openStorage({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/souk/` })
    const context = { ...souk.context, objects: broken }
    const unavailable = { code: 'storage_unavailable' }
    await expect(readFile(context, path.slice('/files/'.length, -'.png'.length))).rejects.toMatchObject(unavailable)
    await expect(verifyObjects(context, progress)).rejects.toMatchObject(unavailable)
    server.close()
  })

  test('objects of failed uploads are deleted after a day, and used ones stay', async () => {
    const failed = randomBytes(500)
    await storeObject(souk.context, failed)
    await collectObjects(souk.context)
    expect(await existsInStorage(failed)).toBe(true)
    await collectObjects(after(day + second))
    expect(await existsInStorage(failed)).toBe(false)
    expect(await existsInStorage(png)).toBe(true)
    const [row] = await souk.context.sql`
      select state from stored_objects where hash = ${Buffer.from(hashOf(failed), 'hex')}`
    expect(row).toBeUndefined()
  })

  test('objects of deleted releases are kept for 30 days, for restores, and deleted then', async () => {
    const content = randomBytes(700)
    const { releaseId } = await uploadRelease({ 'static/gone.png': content })
    await souk.console('DELETE', `/console/v1/apps/${app.appid}/releases/${releaseId}`)
    await collectObjects(after(29 * day))
    expect(await existsInStorage(content)).toBe(true)
    await collectObjects(after(31 * day))
    expect(await existsInStorage(content)).toBe(false)
    expect(await existsInStorage(png)).toBe(true)
  })

  test('an upload of a content that is being deleted is refused, and succeeds afterwards', async () => {
    const content = Buffer.concat([png, randomBytes(2)])
    const hash = Buffer.from(hashOf(content), 'hex')
    await souk.context.sql`insert into stored_objects values (${hash}, ${content.length}, 'deleting', 0)`
    expect(await uploadImage(content)).toMatchObject({ code: 'storage_unavailable' })
    await collectObjects(souk.context)
    const { path } = await uploadImage(content)
    expect((await read(path)).body.equals(content)).toBe(true)
  })

  test('an object that was uploaded again is not deleted by a run that began before', async () => {
    const contents = [randomBytes(701), randomBytes(702)]
    for (const content of contents) await storeObject(souk.context, content)
    const reached = Promise.withResolvers<string>()
    const release = Promise.withResolvers<void>()
    const slow: ObjectStorage = {
      ...objects,
      async delete(name) {
        reached.resolve(name)
        await release.promise
        await objects.delete(name)
      },
    }
    const first = collectObjects({ ...after(2 * day), objects: slow })
    const busy = await reached.promise
    await collectObjects(after(2 * day))
    const again = contents.find((content) => nameOf(content) !== busy)!
    expect(await existsInStorage(again)).toBe(false)
    await storeObject(souk.context, again)
    release.resolve()
    await first
    expect(await existsInStorage(again)).toBe(true)
    expect(await objects.get(busy)).toBe(undefined)
  })

  test('all files move to the database and back, and are the same', async () => {
    const files = { 'static/moved.png': randomBytes(500_000), 'static/empty.txt': '', 'assets/m.js': 'x'.repeat(9000) }
    const { url } = await uploadRelease(files)
    const { path } = await uploadImage(png)
    const expectSame = async () => {
      for (const [name, content] of Object.entries(files))
        expect((await read(url + name)).body.equals(Buffer.from(content)), name).toBe(true)
      expect((await read(path)).body.equals(png)).toBe(true)
    }
    const before = await countContents(souk.context.sql)
    const back = await moveContents(souk.context, 'database', progress)
    expect(back).toMatchObject({ files: 3, size: before.objects.size })
    expect(back.files + back.releases).toBe(before.objects.count)
    expect(await countContents(souk.context.sql)).toEqual({
      database: before.objects,
      objects: { count: 0, size: 0 },
    })
    await expectSame()
    const forth = await moveContents(souk.context, 's3', progress)
    expect(forth).toEqual(back)
    expect(await countContents(souk.context.sql)).toEqual(before)
    await expectSame()
    expect(await moveContents(souk.context, 's3', progress)).toEqual({ files: 0, releases: 0, size: 0 })
  })

  test.each(['database', 's3'] as const)('an interrupted move to %s resumes where it stopped', async (to) => {
    const all = await countContents(souk.context.sql)
    let steps = 0
    const interrupt = () => {
      if (++steps === 4) throw new Error('Interrupted.')
    }
    await expect(moveContents(souk.context, to, interrupt)).rejects.toThrow('Interrupted.')
    const halfway = await countContents(souk.context.sql)
    expect(Math.min(halfway.database.count, halfway.objects.count)).toBe(3)
    const rest = await moveContents(souk.context, to, progress)
    expect(rest.files + rest.releases).toBe(all.database.count + all.objects.count - 3)
    expect((await verifyObjects(souk.context, progress)).damaged).toEqual([])
  })

  test('a download in progress completes while its content is moved', async () => {
    const content = randomBytes(3_000_000)
    const { url } = await uploadRelease({ 'static/long.png': content })
    await moveContents(souk.context, 'database', progress)
    const answer = await fetch(`${souk.url}${url}static/long.png`)
    const reader = answer.body!.getReader()
    const chunks = [(await reader.read()).value!]
    await moveContents(souk.context, 's3', progress)
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value)
    expect(Buffer.concat(chunks).equals(content)).toBe(true)
  })

  test('a move does not replace a file by a damaged object', async () => {
    const damaged = Buffer.concat([png, randomBytes(3)])
    const { path } = await uploadImage(damaged)
    const changed = randomBytes(damaged.length)
    await objects.put({ name: nameOf(damaged), hash: hashOf(changed), size: changed.length, open: () => changed })
    await expect(moveContents(souk.context, 'database', progress)).rejects.toMatchObject({ code: 'storage_damaged' })
    await objects.put({ name: nameOf(damaged), hash: hashOf(damaged), size: damaged.length, open: () => damaged })
    await moveContents(souk.context, 's3', progress)
    expect((await read(path)).body.equals(damaged)).toBe(true)
  })

  test('the doctor writes and reads the bucket, and reports files that are elsewhere', async () => {
    const stateOf = async (context: FullContext) => (await examine(context)).find(({ check }) => check === 'storage')
    expect(await stateOf(souk.context)).toMatchObject({
      state: 'ok',
      found: expect.stringContaining(storage.settings.url),
    })
    const inDatabase = { ...souk.context, storage: 'database' as const }
    expect(await stateOf(inDatabase)).toMatchObject({
      state: 'warning',
      advice: expect.stringContaining('move database'),
    })
    const wrong = { ...souk.context, objects: openStorage({ secretAccessKey: 'wrong' }) }
    expect(await stateOf(wrong)).toMatchObject({ state: 'error', found: expect.stringContaining('status 403') })
    const missing = { ...souk.context, objects: openStorage({ url: storage.settings.url.replace('souk', 'missing') }) }
    expect(await stateOf(missing)).toMatchObject({ state: 'error', found: expect.stringContaining('NoSuchBucket') })
    expect(await stateOf({ ...souk.context, objects: undefined })).toMatchObject({ state: 'error' })
  })

  describe('souk storage', () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'souk-storage-'))
    })
    afterAll(() => rm(folder, { recursive: true }))

    /** Runs a command with these settings and those of the installation. */
    const run = (args: string[], env: Record<string, string> = storage.env) =>
      runCommand(args, {
        folder,
        env: {
          SOUK_DATA_DIR: folder,
          DATABASE_URL: souk.database.url,
          SOUK_MASTER_KEY: souk.masterKeys[0]!.toString('hex'),
          SOUK_BACKUP_PASSPHRASE: 'a long passphrase',
          ...env,
        },
      })

    test('moves, counts and verifies the files, and records the move in the audit log', async () => {
      const { objects: all } = await countContents(souk.context.sql)
      const moved = await run(['storage', 'move', 'database', '--json'])
      expect(moved).toMatchObject({ status: 0, err: '' })
      expect(JSON.parse(moved.out)).toMatchObject({ to: 'database', size: all.size, url: storage.settings.url })
      expect(JSON.parse((await run(['storage', 'status', '--json'])).out)).toMatchObject({ database: all })
      const back = await run(['storage', 'move', 's3'], { ...storage.env, SOUK_STORAGE: 's3' })
      expect(back).toMatchObject({ status: 0, out: expect.stringContaining('Each was read back and compared.') })
      expect((await run(['storage', 'verify'])).out).toContain('all are complete')
      const rows = await souk.context.sql`select detail->>'to' as to from audit_log where action = 'storage.move'`
      expect(rows.slice(-2)).toEqual([{ to: 'database' }, { to: 's3' }])
    }, 120_000)

    test('reports missing files, and a backup lists what it does not contain', async () => {
      await objects.delete(nameOf(png))
      const { status, out, err } = await run(['storage', 'verify', '--json'])
      expect({ status, damaged: JSON.parse(out).damaged }).toEqual({ status: 1, damaged: [hashOf(png)] })
      expect(err).toContain('(storage_damaged)')
      await objects.put({ name: nameOf(png), hash: hashOf(png), size: png.length, open: () => png })
      const { objects: all } = await countContents(souk.context.sql)
      const backup = await run(['backup', join(folder, 'souk.age')])
      expect(backup.out).toContain(`It does not contain ${all.count} files`)
    }, 120_000)

    test.each<[string[], Record<string, string>, number, string]>([
      [['storage'], {}, 2, 'usage: '],
      [['storage', 'move', 'elsewhere'], {}, 2, 'usage: '],
      [['storage', 'status'], {}, 2, 'SOUK_S3_URL must be set'],
      [['storage', 'verify'], { SOUK_S3_URL: 'http://127.0.0.1:9/x/' }, 2, 'SOUK_S3_ACCESS_KEY_ID and'],
    ])('%j with wrong arguments or settings says so', async (args, env, status, message) => {
      expect(await run(args, env)).toMatchObject({ status, out: '', err: expect.stringContaining(message) })
    })
  })

  test('a server does not start without the storage of its files', async () => {
    await expect(checkStorage(souk.context.sql, { objectStorage: undefined })).rejects.toThrow('SOUK_S3_URL')
    await checkStorage(souk.context.sql, { objectStorage: storage.settings })
  })
})
