import type { consoleOperations, ReleasePlatform, ReleaseStage, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller, SystemCaller } from '../../caller.ts'
import type { CatalogueEntry, Context, FullContext } from '../../context.ts'
import { partSize, type StoredContent, updateLastUse, useObject } from '../../installation/index.ts'
import { onlyTesters } from '../apps/index.ts'
import type { Tab } from './tabs.ts'

/** Platforms that a host opens with its own bars, in order of preference. */
export const hostedPlatforms = ['Mini App', 'App'] as const

/** A release as the console shows it. */
export type Release = ResultOf<typeof consoleOperations.uploadRelease>

/** Returns the URL of a release's folder: a path, or absolute if mini apps have their own origin. */
export function releaseUrl({ miniAppsUrl = '' }: FullContext['web'], appid: string, releaseId: string): string {
  return `${miniAppsUrl}/mini/${appid}/${releaseId}/`
}

/** Returns the releases of an app, newest first, or only `releaseId` if given. */
export async function listReleaseRows(
  { web, sql }: Pick<FullContext, 'web'> & { sql: Sql | Tx },
  appid: string,
  releaseId?: string,
): Promise<Release[]> {
  const rows = await sql<Omit<Release, 'url'>[]>`
    select
      r.release_id, r.platform, r.version, r.note, r.notes, r.min_runtime, r.stage, r.current, r.files, r.size,
      coalesce(a.name, sa.name, 'admin') as uploaded_by,
      case when k.key_id is not null then json_build_object(
        'keyId', replace(k.key_id::text, '-', ''), 'owner', coalesce(o.name, 'admin'), 'state', k.state
      ) end as signed_by,
      r.ctime, r.published_time, coalesce(p.name, psa.name, r.publisher) as published_by, reviewed.by as reviewed_by
    from releases r
      left join accounts a on a.account_id = r.uploaded_by
      left join service_accounts sa on sa.service_account_id = r.service_account_id
      left join signing_keys k on k.key_id = r.signed_by
      left join accounts o on o.account_id = k.account_id
      left join accounts p on p.account_id = r.published_by
      left join service_accounts psa on psa.service_account_id = r.publishing_service_account_id
      left join lateral (
        select coalesce(ra.name, e.actor) as by
        from release_reviews v join release_review_events e using (review_id)
          left join accounts ra on ra.account_id = e.account_id
        where v.release_id = r.release_id and e.state = 'approved'
        order by e.time desc, e.event_id desc limit 1
      ) reviewed on true
    where r.appid = ${appid} ${releaseId === undefined ? sql`` : sql`and r.release_id = ${releaseId}`}
    order by r.ctime desc, r.release_id`
  return rows.map((row) => ({ ...row, url: releaseUrl(web, appid, row.releaseId) }))
}

export async function countReleases(tx: Tx, appid: string): Promise<number> {
  const [row] = await tx<[{ releases: number }]>`
    select count(*)::integer as releases from releases where appid = ${appid}`
  return row.releases
}

/** Returns whether the mini app has a release of a version for a platform. */
export async function existsVersion(
  tx: Tx,
  appid: string,
  platform: ReleasePlatform,
  version: string,
): Promise<boolean> {
  const rows = await tx`
    select from releases where appid = ${appid} and platform = ${platform} and version = ${version} limit 1`
  return rows.length > 0
}

export interface NewRelease {
  releaseId: string
  appid: string
  platform: ReleasePlatform
  version: string
  note: string | null
  notes: Readonly<Record<string, string>>
  minRuntime: string | null
  pages: readonly string[]
  tabs: readonly Tab[]
  hostFunctions: readonly string[]
  inlineScripts: readonly string[]
  files: number
  size: number
  uploadedBy: string | null
  serviceAccountId: string | null
  /** Null, like the next two, for an unsigned release. */
  signature: Buffer | null
  /** SHA-256 of the archive. */
  archiveHash: Buffer | null
  /** The id of the key. */
  signedBy: string | null
  ctime: number
}

export async function insertRelease(tx: Tx, release: NewRelease): Promise<void> {
  await tx`
    insert into releases
      (release_id, appid, platform, version, note, notes, min_runtime, stage, pages, tabs, host_functions, inline_scripts, files,
       size, uploaded_by, service_account_id, signature, archive_hash, signed_by, ctime)
    values (
      ${release.releaseId}, ${release.appid}, ${release.platform}, ${release.version}, ${release.note},
      ${JSON.stringify(release.notes)}::text::jsonb, ${release.minRuntime}, 'development',
      ${release.pages as string[]}::text[], ${JSON.stringify(release.tabs)}::text::jsonb,
      ${release.hostFunctions as string[]}::text[], ${release.inlineScripts as string[]}::text[], ${release.files}, ${release.size}, ${release.uploadedBy},
      ${release.serviceAccountId}, ${release.signature}, ${release.archiveHash}, ${release.signedBy}, ${release.ctime})`
}

/** Prevents `deleteUnusedContents` from deleting contents until the transaction ends. */
export async function lockContents(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(hashtext('release_contents'))`
}

/**
 * Prevents others from storing contents until the transaction ends. A transaction that also stores contents does this
 * before `lockContents`, since two that do it afterwards wait for each other.
 */
export async function lockContentsToDelete(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('release_contents'))`
}

/** Returns the hashes (SHA-256, hexadecimal) of contents that are stored. */
export async function listStoredContents(tx: Sql | Tx, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ hash: string }[]>`
    select encode(content_hash, 'hex') as hash from release_contents
    where content_hash in (select decode(hash, 'hex') from unnest(${hashes as string[]}::text[]) as hash)`
  return new Set(rows.map(({ hash }) => hash))
}

/**
 * Stores a content, unless it is stored already: as a reference to an object, or in parts.
 * @throws SoukError `storage_unavailable` if the object is being deleted
 */
export async function insertContent(
  { tx, clock }: Pick<Context, 'clock'> & { tx: Tx },
  {
    hash,
    gzipped,
    content,
    object,
  }: { hash: string; gzipped: boolean; content: Uint8Array<ArrayBuffer>; object: string | undefined },
): Promise<void> {
  const key = Buffer.from(hash, 'hex')
  if (object !== undefined) await useObject({ clock }, tx, object)
  const { count } = await tx`
    insert into release_contents (content_hash, gzipped, size, object)
    values (${key}, ${gzipped}, ${content.length}, ${object === undefined ? null : Buffer.from(object, 'hex')})
    on conflict do nothing`
  if (count === 0 || object !== undefined) return
  for (let part = 0; part * partSize < content.length; part++) {
    const bytes = Buffer.from(content.buffer, part * partSize, Math.min(partSize, content.length - part * partSize))
    await tx`insert into release_content_parts (content_hash, part, content) values (${key}, ${part}, ${bytes})`
  }
}

/** Stores the files of a release. `files` maps paths to content hashes. */
export async function insertFiles(tx: Tx, releaseId: string, files: ReadonlyMap<string, string>): Promise<void> {
  await tx`
    insert into release_files (release_id, path, content_hash)
    select ${releaseId}, path, decode(hash, 'hex')
    from unnest(${[...files.keys()]}::text[], ${[...files.values()]}::text[]) as file (path, hash)`
}

export async function updateStage(tx: Tx, releaseId: string, stage: ReleaseStage): Promise<void> {
  await tx`update releases set stage = ${stage} where release_id = ${releaseId}`
}

export async function updateNotes(
  tx: Tx,
  releaseId: string,
  { note, notes }: Pick<NewRelease, 'note' | 'notes'>,
): Promise<void> {
  await tx`
    update releases set note = ${note}, notes = ${JSON.stringify(notes)}::text::jsonb where release_id = ${releaseId}`
}

/** Makes a release the current one of its platform, published by `caller`. */
export async function updateCurrent(
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  { appid, platform, releaseId }: { appid: string; platform: ReleasePlatform; releaseId: string },
  now: number,
): Promise<void> {
  await notify(tx, 'souk_app', appid)
  await tx`update releases set current = false where appid = ${appid} and platform = ${platform} and current`
  await tx`
    update releases set
      stage = 'published', current = true, published_time = ${now}, publisher = ${caller.kind},
      published_by = ${caller.kind === 'account' ? caller.accountId : null},
      publishing_service_account_id = ${caller.kind === 'serviceAccount' ? caller.serviceAccountId : null}
    where release_id = ${releaseId}`
}

/** Takes a release from the users of its platform. */
export async function updateCurrentToWithdrawn(
  tx: Tx,
  { appid, releaseId }: { appid: string; releaseId: string },
): Promise<void> {
  await notify(tx, 'souk_app', appid)
  await tx`update releases set stage = 'development', current = false where release_id = ${releaseId}`
}

export async function listReleaseIds(sql: Sql, appid: string): Promise<string[]> {
  const rows = await sql<{ releaseId: string }[]>`select release_id from releases where appid = ${appid}`
  return rows.map(({ releaseId }) => releaseId)
}

/** Deletes a release and returns the hashes of its contents. */
export async function deleteReleaseRow(tx: Tx, releaseId: string): Promise<string[]> {
  const rows = await tx<{ hash: string }[]>`
    delete from release_files where release_id = ${releaseId} returning encode(content_hash, 'hex') as hash`
  const sourceMaps = await deleteSourceMaps(tx, releaseId)
  await tx`delete from releases where release_id = ${releaseId}`
  return [...rows.map(({ hash }) => hash), ...sourceMaps]
}

/** Deletes the given contents that no release uses. Their objects are deleted later. @param now real time, ms */
export async function deleteUnusedContents(tx: Tx, hashes: readonly string[], now: number): Promise<void> {
  if (hashes.length === 0) return
  // A concurrent upload may be about to use one of them.
  await lockContentsToDelete(tx)
  const deleted = await tx<{ object: string | null }[]>`
    delete from release_contents c
    where content_hash in (select decode(hash, 'hex') from unnest(${hashes as string[]}::text[]) as hash)
      and not exists (select from release_files f where f.content_hash = c.content_hash)
      and not exists (select from release_source_maps m where m.content_hash = c.content_hash)
    returning encode(object, 'hex') as object`
  const objects = deleted.flatMap(({ object }) => object ?? [])
  if (objects.length > 0) await updateLastUse(tx, objects, now)
}

/** A stored file of a release. */
export interface StoredFile extends StoredContent {
  /** SHA-256 of the file, hexadecimal. */
  hash: string
  gzipped: boolean
  inlineScripts: string[]
}

export async function findFile(
  sql: Sql,
  { appid, releaseId, path }: { appid: string; releaseId: string; path: string },
): Promise<StoredFile | undefined> {
  const [file] = await sql<StoredFile[]>`
    select
      encode(c.content_hash, 'hex') as hash, c.gzipped, c.size, coalesce(p.content, '') as start,
      encode(c.object, 'hex') as object, r.inline_scripts
    from releases r
      join release_files f on f.release_id = r.release_id and f.path = ${path}
      join release_contents c using (content_hash)
      left join release_content_parts p on p.content_hash = c.content_hash and p.part = 0
    where r.release_id = ${releaseId} and r.appid = ${appid}`
  return file
}

/** Stores the source maps of a release. `files` maps paths of scripts to content hashes. */
export async function insertSourceMaps(tx: Tx, releaseId: string, files: ReadonlyMap<string, string>): Promise<void> {
  await tx`
    insert into release_source_maps (release_id, path, content_hash)
    select ${releaseId}, path, decode(hash, 'hex')
    from unnest(${[...files.keys()]}::text[], ${[...files.values()]}::text[]) as file (path, hash)`
}

/** Deletes the source maps of a release and returns the hashes of their contents. */
export async function deleteSourceMaps(tx: Tx, releaseId: string): Promise<string[]> {
  const rows = await tx<{ hash: string }[]>`
    delete from release_source_maps where release_id = ${releaseId} returning encode(content_hash, 'hex') as hash`
  return rows.map(({ hash }) => hash)
}

/** Returns the paths that the release has no file for. */
export async function listMissingFiles(tx: Tx, releaseId: string, paths: readonly string[]): Promise<string[]> {
  const rows = await tx<{ path: string }[]>`
    select path from unnest(${paths as string[]}::text[]) as given (path)
    where not exists (select from release_files f where f.release_id = ${releaseId} and f.path = given.path)
    order by path`
  return rows.map(({ path }) => path)
}

/** Returns whether a release has source maps. */
export async function existsSourceMap(sql: Sql, releaseId: string): Promise<boolean> {
  const rows = await sql`select from release_source_maps where release_id = ${releaseId} limit 1`
  return rows.length > 0
}

/** A script of a release with its source map. */
interface StoredScript {
  path: string
  script: Omit<StoredFile, 'inlineScripts'>
  sourceMap: Omit<StoredFile, 'inlineScripts'>
}

/** Returns the hashes of scripts and of their source maps, which say everything about both. */
export async function listScriptHashes(sql: Sql, releaseId: string, paths: readonly string[]): Promise<object[]> {
  return sql<{ path: string; hash: string; isMap: boolean }[]>`
    select path, encode(content_hash, 'hex') as hash, is_map
    from (
      select path, content_hash, false as is_map from release_files where release_id = ${releaseId}
      union all
      select path, content_hash, true from release_source_maps where release_id = ${releaseId}
    ) as used
    where path = any(${paths as string[]}::text[]) order by path, is_map`
}

/** Returns the scripts of a release at these paths that have a source map. */
export async function listScripts(sql: Sql, releaseId: string, paths: readonly string[]): Promise<StoredScript[]> {
  const rows = await sql<(StoredScript['script'] & { path: string; isMap: boolean })[]>`
    select
      used.path, used.is_map, encode(c.content_hash, 'hex') as hash, c.gzipped, c.size,
      coalesce(p.content, '') as start, encode(c.object, 'hex') as object
    from (
      select path, content_hash, false as is_map from release_files where release_id = ${releaseId}
      union all
      select path, content_hash, true from release_source_maps where release_id = ${releaseId}
    ) as used
      join release_contents c using (content_hash)
      left join release_content_parts p on p.content_hash = c.content_hash and p.part = 0
    where used.path = any(${paths as string[]}::text[])`
  return paths.flatMap((path) => {
    const script = rows.find((row) => row.path === path && !row.isMap)
    const sourceMap = rows.find((row) => row.path === path && row.isMap)
    return script && sourceMap ? [{ path, script, sourceMap }] : []
  })
}

/** A release that a user may open. */
interface OpenRelease {
  appid: string
  releaseId: string
  platform: ReleasePlatform
  version: string
  stage: ReleaseStage
  tabs: Tab[]
}

/** A mini app as the list in memory reads it. */
export interface CatalogueRow extends Omit<CatalogueEntry, 'searched' | 'searchedNames' | 'tabs'> {
  keywords: string[]
  tabs: Tab[]
}

/** Returns the mini apps that are enabled and not archived, with the tabs of the published release, or some of them. */
export async function listCatalogueRows(sql: Sql, appids?: readonly string[]): Promise<CatalogueRow[]> {
  return sql<CatalogueRow[]>`
    select
      a.appid, a.name, a.names, a.icon_url, a.category, a.keywords, a.recommended,
      coalesce(published.tabs, '[]') as tabs, published.tabs is not null as is_published,
      ${onlyTesters(sql)} as only_testers
    from apps a left join lateral (
      select r.tabs from releases r where r.appid = a.appid and r.current
      order by array_position(${[...hostedPlatforms]}::text[], r.platform) nulls last limit 1
    ) published on true
    where a.enabled and a.archived_time is null
      and ${appids === undefined ? sql`true` : sql`a.appid = any(${appids as string[]})`}`
}

/** Returns the mini apps of which a user may open a release as a tester. */
export async function listTestedAppids(sql: Sql, uid: number): Promise<Set<string>> {
  const rows = await sql<{ appid: string }[]>`
    select distinct r.appid from app_testers own join releases r on r.appid = own.appid
    where own.uid = ${uid} and ${isOpenTo(sql, uid)}`
  return new Set(rows.map(({ appid }) => appid))
}

/**
 * Returns the releases of these mini apps that a user may open: current ones, and unpublished ones of those that the
 * user tests.
 */
export async function listOpenReleases(sql: Sql, uid: number, appids: readonly string[]): Promise<OpenRelease[]> {
  return sql<OpenRelease[]>`
    select r.appid, r.release_id, r.platform, r.version, r.stage, r.tabs
    from releases r
    where r.appid = any(${appids as string[]}) and ${isOpenTo(sql, uid)}
    order by r.current desc, r.ctime desc, r.release_id`
}

const isOpenTo = (sql: Sql, uid: number) => sql`(
  r.current
  or r.stage <> 'published' and exists (select from app_testers t where t.appid = r.appid and t.uid = ${uid})
    and not exists (
      select from blocks b
      where b.state = 'releaseWithdrawn' and b.subject = replace(r.release_id::text, '-', '') and b.lifted_time is null
    ))`

/** Returns a release if it is published, a canary, or if the user is a tester. Anybody can open a canary by its id. */
export async function findOpenRelease(
  sql: Sql,
  uid: number,
  { appid, releaseId }: { appid: string; releaseId: string },
): Promise<{ notes: Record<string, string> } | undefined> {
  const [row] = await sql<{ notes: Record<string, string> }[]>`
    select r.notes from releases r
    where r.release_id = ${releaseId} and r.appid = ${appid} and (
      ${isOpenTo(sql, uid)}
      or exists (select from canaries c where c.release_id = r.release_id and c.figures is null))`
  return row
}

export async function listTesterUids(sql: Sql | Tx, appid: string): Promise<number[]> {
  const rows = await sql<{ uid: number }[]>`select uid from app_testers where appid = ${appid} order by uid`
  return rows.map(({ uid }) => uid)
}

/** Returns the testers of the mini app among these users. */
export async function listTestersAmong(sql: Sql, appid: string, uids: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ uid: number }[]>`
    select uid from app_testers where appid = ${appid} and uid = any(${uids as number[]}::bigint[])`
  return new Set(rows.map(({ uid }) => uid))
}

/** Replaces the testers of a mini app. */
export async function updateTesters(tx: Tx, appid: string, uids: readonly number[]): Promise<void> {
  await tx`delete from app_testers where appid = ${appid}`
  await tx`insert into app_testers (appid, uid) select ${appid}, unnest(${uids as number[]}::bigint[])`
}
