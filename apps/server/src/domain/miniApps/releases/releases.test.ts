import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { day, maxReleases, noDomains, type ReleasePlatform } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../test/archive.ts'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { announcedWhile, newRecipients, type Recipient } from '../../../../test/recipients.ts'
import { soukError } from '../../../../test/soukError.ts'
import type { AppCaller, HostUserCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import { home, sendActivity } from '../activities/index.ts'
import { createApp, updateApp } from '../apps/index.ts'
import { inbox, sendNotify, sendTestNotification } from '../notifications/index.ts'
import {
  deleteRelease,
  existsSourceMap,
  getReleaseNote,
  listMiniApps,
  listReleases,
  listTesters,
  publishRelease,
  readMappedScripts,
  readReleaseFile,
  rollBack,
  setReleaseStage,
  setTesters,
  uploadRelease,
  uploadSourceMaps,
} from './index.ts'
import type { ReleaseFile } from './readFile.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
})
afterAll(() => database.drop())
beforeEach(async () => {
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
})

async function upload(version: string, platform: ReleasePlatform = 'Mini App', files = {}, pages?: string[]) {
  context.clock.time += 1000
  const archive = await archiveOf(build(platform, files, pages))
  return uploadRelease(context, admin, { appid, version, archive })
}
const as = (uid: number): HostUserCaller => ({ kind: 'hostUser', uid, session: '' })
const listed = async (uid: number) => (await listMiniApps(context, as(uid), { appids: appid })).items[0]
const asApp = async (remark?: (sentence: string) => void): Promise<AppCaller> => ({
  kind: 'app',
  app: (await context.apps.find(appid))!,
  sign: randomBytes(32).toString('hex'),
  ...(remark && { remark }),
})
const users = async (count: number): Promise<Recipient[]> => newRecipients(database.sql, await asApp(), count)
const bytesOf = async (file: ReleaseFile) => {
  const content = await file.open()
  return Buffer.isBuffer(content) ? content : buffer(content)
}
const contents = async () =>
  (await database.sql<[{ n: number }]>`select count(*)::integer as n from release_contents`)[0].n

describe('uploadRelease', () => {
  test('stores a build in development with the values of its manifest, and audits it', async () => {
    const release = await upload('1.4.0-rc.1')
    expect(release).toEqual({
      releaseId: expect.stringMatching(/^[0-9a-f]{32}$/),
      platform: 'Mini App',
      version: '1.4.0-rc.1',
      note: null,
      notes: {},
      minRuntime: null,
      stage: 'development',
      current: false,
      url: `/mini/${appid}/${release.releaseId}/`,
      files: 3,
      size: expect.any(Number),
      uploadedBy: 'admin',
      signedBy: null,
      ctime: context.clock.now(),
      publishedTime: null,
      publishedBy: null,
      reviewedBy: null,
    })
    expect(await listReleases(context, admin, { appid })).toEqual([release])
    const [entry] =
      await database.sql`select action, detail from audit_log where subject = ${appid} order by audit_id desc`
    expect(entry).toMatchObject({ action: 'release.upload', detail: { version: '1.4.0-rc.1', files: 3 } })
  })

  test('rejects an archive for another platform and stores nothing', async () => {
    const archive = await archiveOf(build('App'))
    const input = { appid, version: '1', archive, platform: 'Mini App' } as const
    await expect(uploadRelease(context, admin, input)).rejects.toThrow('built for App, not for Mini App')
    expect(await listReleases(context, admin, { appid })).toEqual([])
    await expect(uploadRelease(context, admin, { ...input, archive: Buffer.from('x') })).rejects.toEqual(
      soukError('release_refused'),
    )
  })

  test('refuses a version twice for a platform, until its release is deleted', async () => {
    const { releaseId } = await upload('1.0.0')
    await expect(upload('1.0.0')).rejects.toEqual(soukError('release_version_taken'))
    await expect(upload('1.0.0')).rejects.toThrow('Version 1.0.0 for Mini App has been uploaded')
    await upload('1.0.0', 'App')
    await upload('1.0.1')
    await deleteRelease(context, admin, { appid, releaseId })
    await upload('1.0.0')
    expect(await listReleases(context, admin, { appid })).toHaveLength(3)
  })

  test('stores the required runtime of the manifest, and refuses what is not a version', async () => {
    const manifest = JSON.parse(String(build()['souk-app.json']))
    const withRuntime = (minRuntime: unknown) => ({ 'souk-app.json': JSON.stringify({ ...manifest, minRuntime }) })
    expect(await upload('1', 'Mini App', withRuntime('0.2.0'))).toMatchObject({ minRuntime: '0.2.0' })
    for (const wrong of ['>=0.2.0', '1', 2, ''])
      await expect(upload('2', 'Mini App', withRuntime(wrong))).rejects.toThrow('invalid at /minRuntime')
  })

  test('stores equal files once and keeps them while a release uses them', async () => {
    const own = { 'static/own.txt': `only here ${randomBytes(8).toString('hex')}` }
    const before = await contents()
    const first = await upload('1', 'Mini App', own)
    const apart = await contents()
    const second = await upload('2', 'Mini App', own)
    expect(await contents()).toBe(apart)
    await deleteRelease(context, admin, { appid, releaseId: first.releaseId })
    expect(await contents()).toBe(apart)
    const read = { appid, releaseId: second.releaseId, path: 'static/own.txt' }
    expect(String(await bytesOf(await readReleaseFile(context, read, true)))).toBe(own['static/own.txt'])
    await deleteRelease(context, admin, { appid, releaseId: second.releaseId })
    expect(await contents()).toBeLessThanOrEqual(before)
  })

  test('keeps the source maps of a release until it is deleted, without sources, and never serves them', async () => {
    const map = (extra: object) =>
      JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', ...extra })
    const path = 'assets/entry-a1b2c3d4.js'
    const send = async (releaseId: string, files: Record<string, string>) =>
      uploadSourceMaps(context, admin, { appid, releaseId, archive: await archiveOf(files) })
    const before = await contents()
    const { releaseId } = await upload('1', 'Mini App', { 'static/own.txt': randomBytes(8).toString('hex') })
    expect(await existsSourceMap(context.sql, releaseId)).toBe(false)
    await send(releaseId, { [`${path}.map`]: map({ names: ['old'] }) })
    const stored = await contents()
    expect(await send(releaseId, { [`${path}.map`]: map({ sourcesContent: ['secret'] }) })).toEqual({ sourceMaps: 1 })
    expect(await contents()).toBe(stored)
    const [found] = await readMappedScripts(context, releaseId, [path, 'index.html'])
    expect(String(found!.sourceMap)).toBe(map({}))
    expect(String(found!.script)).toContain("tea = 'green'")
    for (const name of [`${path}.map`, path.replace('.js', '.map')]) {
      await expect(readReleaseFile(context, { appid, releaseId, path: name }, true)).rejects.toEqual(
        soukError('file_not_found'),
      )
    }
    const [entry] = await database.sql`select action, detail from audit_log order by audit_id desc limit 1`
    expect(entry).toMatchObject({ action: 'release.sourceMaps', detail: { sourceMaps: 1, version: '1' } })
    await deleteRelease(context, admin, { appid, releaseId })
    expect(await contents()).toBeLessThanOrEqual(before)
    await expect(send(releaseId, { [`${path}.map`]: map({}) })).rejects.toEqual(soukError('release_not_found'))
  })

  test('does not change releases of a mini app that is deleted at the same time', async () => {
    const { releaseId } = await upload('1')
    const archive = await archiveOf({
      'assets/entry-a1b2c3d4.js.map': JSON.stringify({ version: 3, sources: [], names: [], mappings: '' }),
    })
    const refused = (error: unknown) => error
    let done: Promise<unknown> | undefined
    await database.sql.begin(async (tx) => {
      await tx`select from apps where appid = ${appid} for update`
      done = Promise.all([
        uploadSourceMaps(context, admin, { appid, releaseId, archive }).catch(refused),
        deleteRelease(context, admin, { appid, releaseId }).catch(refused),
      ])
      await untilWaiting(database.sql, 2)
      await tx`update apps set deleted_time = 1 where appid = ${appid}`
    })
    expect(await done).toEqual(Array(2).fill(soukError('release_not_found')))
    expect(await existsSourceMap(database.sql, releaseId)).toBe(false)
  })

  test('replaces the source maps of two mini apps at the same time', async () => {
    const other = (await createApp(context, admin, { name: 'Other' })).appid
    const archive = await archiveOf(build('Mini App', { 'static/own.txt': randomBytes(8).toString('hex') }))
    const map = (name: string) => JSON.stringify({ version: 3, sources: [], names: [name], mappings: '' })
    const releases = await Promise.all(
      [appid, other].map(async (app) => {
        const { releaseId } = await uploadRelease(context, admin, { appid: app, version: '1', archive })
        return async () => {
          const files = { 'assets/entry-a1b2c3d4.js.map': map(randomBytes(8).toString('hex')) }
          return uploadSourceMaps(context, admin, { appid: app, releaseId, archive: await archiveOf(files) })
        }
      }),
    )
    for (const replace of releases) await replace()
    let replaced: Promise<unknown> | undefined
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('release_contents'))`
      replaced = Promise.all(releases.map((replace) => replace()))
      await untilWaiting(database.sql, 2)
    })
    expect(await replaced).toEqual([{ sourceMaps: 1 }, { sourceMaps: 1 }])
  })

  test('refuses source maps that are hostile, or of other scripts', async () => {
    const { releaseId } = await upload('1')
    const refused = async (files: Record<string, string>) => {
      const archive = await archiveOf(files)
      const error = await uploadSourceMaps(context, admin, { appid, releaseId, archive }).catch((reason) => reason)
      expect(error).toEqual(soukError('source_maps_refused'))
      return (error as Error).message
    }
    const valid = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }
    const one = (map: unknown) => refused({ 'assets/entry-a1b2c3d4.js.map': JSON.stringify(map) })
    expect(await refused({ 'assets/other.js.map': JSON.stringify(valid) })).toContain(
      'does not contain assets/other.js',
    )
    expect(await refused({ '../a.js.map': JSON.stringify(valid) })).toContain('not a path within')
    expect(await refused({ 'index.html': '' })).toContain('is not a source map')
    expect(await refused({ 'a.js.map': '{' })).toContain('not valid JSON')
    expect(await one({ ...valid, mappings: ' '.repeat(8 * 1024 * 1024) })).toContain('larger than 8 MB')
    expect(await one({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map: valid }] })).toContain('sections')
    for (const wrong of [null, [], { ...valid, version: 2 }, { ...valid, sources: [1] }, { ...valid, names: [{}] }]) {
      expect(await one(wrong)).toContain('not a source map of version 3')
    }
    expect(await one({ ...valid, sources: Array.from({ length: 20_001 }, () => 'a') })).toContain('of version 3')
  })

  test('keeps every release complete during concurrent uploads and deletions', async () => {
    const files = { 'static/shared.txt': `shared ${randomBytes(8).toString('hex')}` }
    const other = (await createApp(context, admin, { name: 'Other' })).appid
    const archive = await archiveOf(build('Mini App', files))
    for (let round = 0; round < 8; round++) {
      const deleted = await uploadRelease(context, admin, { appid, version: 'deleted', archive })
      const [{ releaseId }] = await Promise.all([
        uploadRelease(context, admin, { appid: other, version: 'stored', archive }),
        deleteRelease(context, admin, { appid, releaseId: deleted.releaseId }),
      ])
      const read = { appid: other, releaseId, path: 'static/shared.txt' }
      expect(String(await bytesOf(await readReleaseFile(context, read, true)))).toBe(files['static/shared.txt'])
      await deleteRelease(context, admin, { appid: other, releaseId })
    }
  })

  test('stores two releases with the same new files in another order at the same time', async () => {
    const other = (await createApp(context, admin, { name: 'Other' })).appid
    const [first, middle, last] = [1, 2, 3].map(() => randomBytes(32).toString('hex'))
    const hash = createHash('sha256').update(middle!).digest()
    const send = async (app: string, contents: readonly string[]) => {
      const files = Object.fromEntries(contents.map((content, index) => [`static/${index}.png`, content]))
      const archive = await archiveOf(build('Mini App', files))
      return uploadRelease(context, admin, { appid: app, version: '1', archive })
    }
    let uploads: Promise<unknown[]> | undefined
    await database.sql.begin(async (tx) => {
      await tx`insert into release_contents (content_hash, gzipped, size) values (${hash}, false, 0)`
      uploads = Promise.all([send(appid, [first!, middle!, last!]), send(other, [last!, middle!, first!])])
      await untilWaiting(database.sql, 2)
      await tx`delete from release_contents where content_hash = ${hash}`
    })
    expect(await uploads).toMatchObject([{ version: '1' }, { version: '1' }])
  })

  test(`limits a mini app to ${maxReleases} releases, even with concurrent uploads`, async () => {
    await database.sql`
      insert into releases (release_id, appid, platform, version, stage, pages, inline_scripts, files, size, ctime)
      select gen_random_uuid(), ${appid}, 'H5', '1', 'development', '{}', '{}', 0, 0, 0
      from generate_series(1, ${maxReleases - 1}::int)`
    const archive = await archiveOf(build())
    const uploads = Array.from({ length: 3 }, () => uploadRelease(context, admin, { appid, version: '1', archive }))
    const ends = (await Promise.allSettled(uploads)).map((end) =>
      end.status === 'rejected' ? end.reason.code : 'stored',
    )
    expect(ends.sort()).toEqual(['release_limit_reached', 'release_limit_reached', 'stored'])
  })
})

describe('stages', () => {
  test('moves from development to review to published, and back to an earlier release', async () => {
    const one = await upload('1')
    const two = await upload('2')
    const [first, second] = [one, two].map(({ releaseId }) => ({ appid, releaseId }))
    expect(await setReleaseStage(context, admin, { ...first!, stage: 'review' })).toMatchObject({ stage: 'review' })
    expect(await setReleaseStage(context, admin, { ...first!, stage: 'development' })).toMatchObject({
      stage: 'development',
    })
    await setReleaseStage(context, admin, { ...first!, stage: 'review' })
    const published = await publishRelease(context, admin, first!)
    expect(published).toMatchObject({ stage: 'published', current: true, publishedTime: context.clock.now() })
    expect(published).toMatchObject({ publishedBy: 'admin', reviewedBy: null })
    // Review is optional.
    expect(await publishRelease(context, admin, second!)).toMatchObject({ stage: 'published', current: true })
    expect((await listReleases(context, admin, { appid })).map(({ version, current }) => [version, current])).toEqual([
      ['2', true],
      ['1', false],
    ])
    context.clock.time += 1000
    expect(await rollBack(context, admin, first!)).toMatchObject({ current: true, publishedTime: context.clock.now() })
    expect((await listed(1))!.release).toMatchObject({ version: '1' })
    const actions = await database.sql<{ action: string }[]>`
      select action from audit_log where subject = ${appid} and action like 'release.%' order by audit_id`
    expect(actions.map(({ action }) => action.slice(8))).toEqual([
      'upload',
      'upload',
      'stage',
      'stage',
      'stage',
      'publish',
      'publish',
      'rollBack',
    ])
  })

  test('keeps a current release per platform', async () => {
    const uploaded = await Promise.all([
      await upload('1', 'H5'),
      await upload('2', 'App'),
      await upload('3', 'Mini App'),
    ])
    for (const { releaseId } of uploaded) await publishRelease(context, admin, { appid, releaseId })
    expect((await listReleases(context, admin, { appid })).every(({ current }) => current)).toBe(true)
  })

  test('rejects changes that the stage does not allow', async () => {
    const current = await upload('1')
    const waiting = await upload('2')
    const [ofCurrent, ofWaiting] = [current, waiting].map(({ releaseId }) => ({ appid, releaseId }))
    await publishRelease(context, admin, ofCurrent!)
    const before = await listReleases(context, admin, { appid })
    for (const attempt of [
      () => publishRelease(context, admin, ofCurrent!),
      () => rollBack(context, admin, ofCurrent!),
      () => rollBack(context, admin, ofWaiting!),
      () => deleteRelease(context, admin, ofCurrent!),
      () => setReleaseStage(context, admin, { ...ofCurrent!, stage: 'review' }),
    ]) {
      await expect(attempt()).rejects.toEqual(soukError('release_stage_conflict'))
    }
    expect(await listReleases(context, admin, { appid })).toEqual(before)
  })

  test('rejects the release of another mini app', async () => {
    const { releaseId } = await upload('1')
    const other = (await createApp(context, admin, { name: 'Other' })).appid
    const input = { appid: other, releaseId }
    for (const attempt of [
      () => publishRelease(context, admin, input),
      () => rollBack(context, admin, input),
      () => deleteRelease(context, admin, input),
      () => setReleaseStage(context, admin, { ...input, stage: 'review' }),
    ]) {
      await expect(attempt()).rejects.toEqual(soukError('release_not_found'))
    }
    await expect(readReleaseFile(context, { ...input, path: '' }, true)).rejects.toEqual(soukError('file_not_found'))
  })

  test('leaves exactly one current release after concurrent publications', async () => {
    const uploaded = []
    for (let number = 0; number < 4; number++) uploaded.push(await upload(String(number)))
    await Promise.all(uploaded.map(({ releaseId }) => publishRelease(context, admin, { appid, releaseId })))
    expect((await listReleases(context, admin, { appid })).filter(({ current }) => current)).toHaveLength(1)
  })
})

describe('getReleaseNote', () => {
  const read = (uid: number, releaseId: string, language?: string) =>
    getReleaseNote(context, as(uid), { appid, releaseId, ...(language && { language }) })

  test('returns the note in the preferred language, the default language, or any', async () => {
    const [user] = await users(1)
    const archive = await archiveOf(build())
    const notes = { zh_CN: '新菜单', ar_SA: 'قائمة جديدة', fr: 'Nouvelle carte' }
    const input = { appid, version: '1', note: 'New menu', notes, archive }
    const { releaseId, ...release } = await uploadRelease(context, admin, input)
    expect(release).toMatchObject({ note: 'New menu', notes: { ...notes, en_US: 'New menu' } })
    await publishRelease(context, admin, { appid, releaseId })
    for (const [language, note] of [
      ['zh-CN', '新菜单'],
      ['zh-Hant', '新菜单'],
      ['AR', 'قائمة جديدة'],
      ['fr-CA', 'Nouvelle carte'],
      ['de', 'New menu'],
      [undefined, 'New menu'],
    ] as const)
      expect(await read(user!.uid, releaseId, language)).toMatchObject({ note })

    const second = await uploadRelease(context, admin, { appid, version: '2', notes: { fr: 'Prix' }, archive })
    expect(second).toMatchObject({ note: 'Prix', notes: { fr: 'Prix' } })
    await expect(read(user!.uid, second.releaseId)).rejects.toEqual(soukError('release_not_found'))
    await setTesters(context, admin, { appid, uids: [user!.uid] })
    expect(await read(user!.uid, second.releaseId, 'de')).toEqual({ language: 'fr', note: 'Prix' })
    const third = await upload('3')
    expect(await read(user!.uid, third.releaseId)).toEqual({ language: null, note: null })
  })
})

describe('listMiniApps', () => {
  test('shows published releases to users, and unpublished ones to testers too', async () => {
    const [tester, user] = await users(2)
    await setTesters(context, admin, { appid, uids: [tester!.uid] })
    const one = await upload('1')
    await publishRelease(context, admin, { appid, releaseId: one.releaseId })
    const two = await upload('2')
    const three = await upload('3', 'App')
    await setReleaseStage(context, admin, { appid, releaseId: three.releaseId, stage: 'review' })
    const shown = ({ releaseId, url, platform, version, stage }: typeof one) => ({
      releaseId,
      url,
      platform,
      version,
      stage,
    })
    const published = { ...shown(one), stage: 'published' }
    expect(await listed(user!.uid)).toEqual({
      appid,
      analytics: true,
      name: 'Tea House',
      names: {},
      iconUrl: null,
      category: null,
      keywords: [],
      recommended: false,
      developer: null,
      tabs: [],
      domains: noDomains,
      documentVersion: expect.stringMatching(/^[0-9a-f]{16}$/),
      release: published,
      releases: [published],
    })
    expect(await listed(tester!.uid)).toMatchObject({
      release: published,
      releases: [published, { ...shown(three), stage: 'review' }, shown(two)],
    })
    // A release that is no longer current is not offered.
    await publishRelease(context, admin, { appid, releaseId: two.releaseId })
    expect((await listed(tester!.uid))!.releases.map(({ version }) => version)).toEqual(['2', '3'])
  })

  test('lists an app without a published release for testers only, and an app without releases in a sandbox', async () => {
    const [tester, user] = await users(2)
    expect(await listed(user!.uid)).toMatchObject({ release: null, releases: [] })
    const live = { ...context, settings: { ...context.settings, sandbox: false } }
    expect((await listMiniApps(live, as(user!.uid), { appids: appid })).items).toEqual([])
    await upload('1')
    await setTesters(context, admin, { appid, uids: [tester!.uid] })
    expect(await listed(user!.uid)).toBeUndefined()
    expect(await listed(tester!.uid)).toMatchObject({ release: null, releases: [{ version: '1' }] })
  })

  test('shows testers the last upload first, also after the clock of a sandbox was set back', async () => {
    const [tester] = await users(1)
    await setTesters(context, admin, { appid, uids: [tester!.uid] })
    context.clock.ahead = 30 * day
    await upload('1')
    context.clock.ahead = 0
    await upload('2')
    expect((await listed(tester!.uid))?.releases.map(({ version }) => version)).toEqual(['2', '1'])
  })

  test('prefers Mini App over App and never opens H5', async () => {
    const open = async () => (await listed(1))?.release?.platform
    for (const [platform, opened] of [
      ['H5', undefined],
      ['App', 'App'],
      ['Mini App', 'Mini App'],
    ] as const) {
      const { releaseId } = await upload('1', platform)
      await publishRelease(context, admin, { appid, releaseId })
      expect(await open()).toBe(opened)
    }
    expect((await listed(1))!.releases).toHaveLength(3)
  })

  test('replaces all testers, or none if a uid is unknown', async () => {
    const [one, two] = await users(2)
    expect(await setTesters(context, admin, { appid, uids: [two!.uid, one!.uid] })).toEqual({
      uids: [one!.uid, two!.uid],
    })
    const unknown = { appid, uids: [one!.uid, 999_999_999] }
    await expect(setTesters(context, admin, unknown)).rejects.toThrow('999999999')
    await database.sql`update users set erased_time = 1 where uid = ${two!.uid}`
    const erased = { appid, uids: [one!.uid, two!.uid] }
    await expect(setTesters(context, admin, erased)).rejects.toThrow(`uids: ${two!.uid}`)
    expect(await listTesters(context, admin, { appid })).toEqual({ uids: [one!.uid, two!.uid] })
    expect(await setTesters(context, admin, { appid, uids: [] })).toEqual({ uids: [] })
  })

  test('does not make a user a tester who is erased at the same time', async () => {
    const [erased] = await users(1)
    const { uid } = erased!
    await setTesters(context, admin, { appid, uids: [uid] })
    let set: Promise<unknown> | undefined
    await database.sql.begin(async (tx) => {
      await tx`select from users where uid = ${uid} for update`
      set = setTesters(context, admin, { appid, uids: [uid] }).catch((error: unknown) => error)
      await untilWaiting(database.sql, 1)
      await tx`delete from app_testers where uid = ${uid}`
      await tx`update users set erased_time = 1 where uid = ${uid}`
    })
    expect(await set).toEqual(soukError('user_not_found'))
    expect(await listTesters(context, admin, { appid })).toEqual({ uids: [] })
  })
})

describe('files', () => {
  test('are served unchanged, compressed if possible, with the type of their extension', async () => {
    const script = 'const answer = 42\n'.repeat(200)
    const files = { 'assets/a.js': script, 'static/a.png': randomBytes(64), 'static/a.unknown': 'x' }
    const { releaseId } = await upload('1', 'Mini App', files)
    const read = (path: string, gzip = true) => readReleaseFile(context, { appid, releaseId, path }, gzip)
    expect(await read('assets/a.js')).toMatchObject({ encoding: 'gzip', mediaType: 'text/javascript; charset=utf-8' })
    expect(String(gunzipSync(await bytesOf(await read('assets/a.js'))))).toBe(script)
    expect(await read('assets/a.js', false)).toMatchObject({ encoding: undefined, size: undefined })
    expect(String(await bytesOf(await read('assets/a.js', false)))).toBe(script)
    expect(await read('static/a.png')).toMatchObject({ encoding: undefined, size: 64, isDocument: false })
    expect(await bytesOf(await read('static/a.png'))).toEqual(files['static/a.png'])
    expect(await read('static/a.unknown')).toMatchObject({ mediaType: 'application/octet-stream' })
    expect(await read('')).toMatchObject({ mediaType: 'text/html; charset=utf-8', isDocument: true })
    expect(await read('souk-app.json')).toMatchObject({ isDocument: false })
  })

  test('of any size are served unchanged, with and without compression', async () => {
    const part = 128 * 1024
    const sizes = [0, 1, part - 1, part, part + 1, 3 * part, 3 * part + 7]
    const files: Record<string, string | Buffer> = Object.fromEntries(
      sizes.flatMap((size): [string, string | Buffer][] => [
        [`static/${size}.png`, randomBytes(size)],
        // Compresses to more than one part.
        [`static/${size}.txt`, randomBytes(size).toString('hex')],
      ]),
    )
    const { releaseId } = await upload('1', 'Mini App', files)
    for (const [path, content] of Object.entries(files)) {
      const zipped = await readReleaseFile(context, { appid, releaseId, path }, true)
      const received = await bytesOf(zipped)
      expect([path, zipped.size]).toEqual([path, received.length])
      const bytes = zipped.encoding ? gunzipSync(received) : received
      const plain = await bytesOf(await readReleaseFile(context, { appid, releaseId, path }, false))
      expect([path, bytes.equals(Buffer.from(content)), plain.equals(Buffer.from(content))]).toEqual([path, true, true])
    }
  })

  test('fail instead of ending early if their release is deleted while they are sent', async () => {
    const path = 'static/large.png'
    const { releaseId } = await upload('1', 'Mini App', { [path]: randomBytes(1024 * 1024) })
    const { open } = await readReleaseFile(context, { appid, releaseId, path }, true)
    const file = (await open()) as Readable
    await once(file, 'readable')
    await deleteRelease(context, admin, { appid, releaseId })
    await expect(buffer(file)).rejects.toThrow('deleted while')
  })

  test('are not served after the release is deleted or while the mini app is disabled', async () => {
    const { releaseId } = await upload('1')
    const read = () => readReleaseFile(context, { appid, releaseId, path: '' }, true)
    await updateApp(context, admin, { appid, enabled: false })
    await expect(read()).rejects.toEqual(soukError('file_not_found'))
    await updateApp(context, admin, { appid, enabled: true })
    await read()
    await deleteRelease(context, admin, { appid, releaseId })
    await expect(read()).rejects.toEqual(soukError('file_not_found'))
  })

  test.each(['../index.html', 'assets', 'assets/', '/index.html', 'index.html\0', 'INDEX.HTML', '%2e%2e/x'])(
    'rejects the path %j',
    async (path) => {
      const { releaseId } = await upload('1')
      const read = readReleaseFile(context, { appid, releaseId, path }, true)
      await expect(read).rejects.toEqual(soukError('file_not_found'))
    },
  )
})

describe('messages', () => {
  const notification = { notifyType: 1, title: 'Ready', text: 'Tea', navigateType: '1', language: 'en_US' } as const
  const activity = {
    activityId: 'order-1',
    color: 'ffffff',
    templateId: 't',
    title: 'Ready',
    text: 'Tea',
    language: 'en_US' as const,
    iconUrl: 'https://tea.example/i.png',
    validityTime: 60,
  }
  const received = async ({ uid }: Recipient) => (await inbox(context, as(uid), {})).length
  const shownActivities = async ({ uid }: Recipient) => (await home(context, as(uid), {})).length

  async function send(to: readonly Recipient[], remark?: (sentence: string) => void) {
    const openIds = to.map(({ openId }) => openId)
    return sendNotify(context as FullContext, await asApp(remark), { ...notification, openIds })
  }

  test('reach all users without releases, testers before the first publication, and all users after it', async () => {
    const [tester, user] = await users(2)
    await setTesters(context, admin, { appid, uids: [tester!.uid] })
    await send([tester!, user!])
    expect([await received(tester!), await received(user!)]).toEqual([1, 1])

    const { releaseId } = await upload('1')
    const remarks: string[] = []
    const announced = await announcedWhile(database.sql, () =>
      send([tester!, user!], (sentence) => remarks.push(sentence)),
    )
    expect(announced).toMatchObject([{ uid: tester!.uid }])
    expect(remarks).toEqual(['No release is published; skipped 1 user who is not a tester.'])
    await expect(send([user!])).rejects.toEqual(soukError('testers_only'))
    expect([await received(tester!), await received(user!)]).toEqual([2, 1])
    const [last] = await database.sql`
      select recipients, skipped from notifications where appid = ${appid} order by notification_id desc limit 1`
    expect(last).toEqual({ recipients: 1, skipped: 1 })

    await publishRelease(context, admin, { appid, releaseId })
    await upload('2')
    await send([tester!, user!])
    expect([await received(tester!), await received(user!)]).toEqual([3, 2])
  })

  test('follow the same rule for activity messages, which can always be removed', async () => {
    const [tester, user] = await users(2)
    const openIds = [tester!.openId, user!.openId]
    const show = async (status: 0 | 1, to = openIds) =>
      sendActivity(context as FullContext, await asApp(), { ...activity, status, openIds: to })
    await setTesters(context, admin, { appid, uids: [tester!.uid] })
    await show(1, [user!.openId])
    await upload('1')
    await show(1)
    expect([await shownActivities(tester!), await shownActivities(user!)]).toEqual([1, 1])
    await expect(show(1, [user!.openId])).rejects.toEqual(soukError('testers_only'))
    await show(0)
    expect([await shownActivities(tester!), await shownActivities(user!)]).toEqual([0, 0])
  })

  test('follow the same rule for test messages from the console', async () => {
    const [tester, user] = await users(2)
    await setTesters(context, admin, { appid, uids: [tester!.uid] })
    await upload('1')
    const { notifyType: _, ...message } = notification
    const test = (uids: number[]) => sendTestNotification(context as FullContext, admin, { appid, uids, ...message })
    expect(await test([tester!.uid, user!.uid])).toEqual({ recipients: 1, skipped: 1, off: 0, overLimit: 0 })
    await expect(test([user!.uid])).rejects.toEqual(soukError('testers_only'))
  })

  test('link to pages of the current release only', async () => {
    const [tester] = await users(1)
    await setTesters(context, admin, { appid, uids: [tester!.uid] })
    const link = async (link: string) =>
      sendNotify(context as FullContext, await asApp(), { ...notification, link, openIds: [tester!.openId] })
    await link('pages/anything/at-all')
    const { releaseId } = await upload('1', 'Mini App', {}, ['pages/menu/menu'])
    await link('pages/menu/menu?id=1')
    await link('pages/webview/webview?src=https%3A%2F%2Ftea.example%2F')
    await expect(link('pages/anything/at-all')).rejects.toThrow('its pages are pages/menu/menu.')
    await publishRelease(context, admin, { appid, releaseId })
    await upload('2', 'Mini App', {}, ['pages/new/new'])
    await expect(link('pages/new/new')).rejects.toEqual(soukError('parameter_invalid'))
    await link('pages/menu/menu')
    const path = async (path: string) =>
      sendActivity(context as FullContext, await asApp(), { ...activity, status: 1, path, openIds: [tester!.openId] })
    await path('pages/menu/menu')
    await expect(path('pages/new/new')).rejects.toEqual(soukError('parameter_invalid'))
  })
})
