import { dirname, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  consoleOperations,
  maxArchiveSize,
  type ReleasePlatform,
  type ReleaseStage,
  type ResultOf,
} from '@souk/contract'
import type { Os, Platform } from '@souk/pages'
import type { PlatformChoice } from '@souk/project'
import type { Command } from 'commander'
import { packTar } from 'modern-tar'
import { Failure } from '../failure.ts'
import { builtRelease, describePlatform, platformOf } from '../miniApps.ts'
import { counted, fields, plain, size } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'
import { signRelease } from '../signingKey.ts'
import { osOption, platformOption, targetOption } from './arguments.ts'

interface UploadOptions {
  appid: string
  platform?: Platform
  os?: Os
  dir?: string
  version?: string
  note: string[]
  notes?: string
  publish?: true
}

/** `souk upload`: builds a mini app, signs it with the developer's key, and uploads it to Souk as a release. */
export function addUploadCommand(program: Command, add: AddCommand): void {
  add<[string | undefined], UploadOptions>(program, {
    usage: 'upload [path]',
    examples: [
      'upload --appid demoapp00000001 --version 1.4.0',
      'upload my-app --appid demoapp00000001 --platform "Mini App" --note "New menu" --publish',
      'upload --appid demoapp00000001 --note en="New menu" --note zh_CN=新菜单',
      'upload --dir dist/app --appid demoapp00000001 --version 1.4.0 --json',
    ],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .addOption(targetOption())
        .addOption(osOption())
        .option('--dir <folder>', 'upload this existing build')
        .option('--version <version>', 'version (default: version in package.json)')
        .option(
          '--note <text>',
          'what is new, for users; for one language, write its tag first: en=… (repeatable)',
          (note: string, earlier: string[]) => [...earlier, note],
          [],
        )
        .option('--notes <file>', 'JSON file with what is new, by language tag')
        .option('--publish', 'publish the release immediately'),
    action: async (session, { appid, platform, os, dir, publish, ...given }, path = '.') => {
      const { environment, server, print, style } = session
      const version = given.version ?? (await versionOf(session, path))
      const notes = await notesOf(session, given)
      // A build takes long, and these mistakes are found immediately.
      const choice = await platformOf(session, path, platform)
      if (dir === undefined) await checkEarlierReleases(session, { appid, version, choice })
      const build = await buildOf(session, { path, dir, platform: choice.platform, os })
      if (build === undefined) return 1
      const archive = await packed(build.files)
      const input = {
        appid,
        version,
        // Without the option, the server takes that of an existing build.
        ...((dir === undefined || platform) && { platform: choice.platform as ReleasePlatform }),
        ...notes,
        ...signRelease(await environment.signingKey(), { appid, version, archive }),
      }
      const { releaseId } = await server.upload(consoleOperations.uploadRelease, input, archive)
      const fail = failAfterUpload(version)
      const sourceMaps = await sendSourceMaps(session, { appid, releaseId }, build).catch(fail)
      const [release] = publish
        ? [await server.call(consoleOperations.publishRelease, { appid, releaseId }).catch(fail)]
        : (await server.call(consoleOperations.listReleases, { appid })).filter((one) => one.releaseId === releaseId)
      const target = dir === undefined ? describePlatform(choice) : release!.platform
      const url = await environment.serverUrl()
      print(release!, (it) => describeUpload(it, { target, packed: archive.length, sourceMaps, url, style }))
    },
  })
}

/** Returns a handler of errors that says that the release exists, because another upload of it would be refused. */
function failAfterUpload(version: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Failure)) throw error
    const message = `${plain(version)} was uploaded, then: ${error.message}`
    throw new Failure(error.status, message, error.advice, error.refusal)
  }
}

/**
 * Warns if users keep getting a release for Mini App, which hosts prefer to one for App that nobody has chosen.
 * @throws Failure if the mini app has a release of this version, or the caller cannot read its releases
 */
async function checkEarlierReleases(
  { server, environment }: Session,
  { appid, version, choice: { platform, source } }: { appid: string; version: string; choice: PlatformChoice },
): Promise<void> {
  const earlier = await server.call(consoleOperations.listReleases, { appid })
  const preferred = earlier.find((release) => release.current && release.platform === 'Mini App')
  if (preferred !== undefined && source === 'default') {
    const name = `${plain(preferred.version)} for Mini App`
    environment.err(
      `Hosts prefer ${name}, which stays published, to a release for App. To replace it, use --platform "Mini App".\n`,
    )
  }
  if (earlier.every((release) => release.version !== version || release.platform !== platform)) return
  throw new Failure(
    1,
    `${appid} already has a release ${plain(version)} for ${platform}. (release_version_taken)`,
    'Raise the version in package.json, set another one with --version, or delete that release in the console.',
    { code: 'release_version_taken' },
  )
}

type Release = ResultOf<typeof consoleOperations.uploadRelease>

interface Uploaded {
  /** The platform, and what has decided it unless the build existed. */
  target: string
  packed: number
  sourceMaps: number
  url: string
  style: Session['style']
}

function describeUpload(release: Release, { target, packed, sourceMaps, url, style }: Uploaded): string {
  const { version, stage, signedBy } = release
  return [
    `${style('green', 'ok')} ${style('bold', plain(version))} for ${target} uploaded${outcomes[stage]}.`,
    fields(
      [
        ['release', release.releaseId],
        ['files', `${release.files}, ${size(release.size)}, packed ${size(packed)}`],
        ['source maps', sourceMaps === 0 ? 'none; stacks of errors stay minified' : String(sourceMaps)],
        ['at', `${url}${release.url}`],
        ['signed by', signedBy ? `${plain(signedBy.owner)}, key ${signedBy.keyId}` : '–'],
      ],
      style,
    ),
  ].join('\n')
}

/** `souk source-maps`: uploads the source maps of a release that was uploaded without them. */
export function addSourceMapsCommand(program: Command, add: AddCommand): void {
  add<[string, string | undefined], Pick<UploadOptions, 'appid' | 'platform' | 'os' | 'dir'>>(program, {
    usage: 'source-maps <releaseId> [path]',
    examples: [
      'source-maps 0123456789abcdef0123456789abcdef my-app --appid demoapp00000001',
      'source-maps 0123456789abcdef0123456789abcdef --appid demoapp00000001 --dir dist/app',
    ],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .addOption(platformOption())
        .addOption(osOption())
        .option('--dir <folder>', 'use the source maps of this existing build'),
    action: async (session, { appid, ...options }, releaseId, path = '.') => {
      // A build takes long, and a wrong id is found immediately.
      const releases = await session.server.call(consoleOperations.listReleases, { appid })
      const release = releases.find((each) => each.releaseId === releaseId)
      if (release === undefined)
        throw new Failure(1, `${appid} has no release ${plain(releaseId)}.`, 'The console lists them under Releases.')
      const build = await buildOf(session, { path, platform: release.platform, ...options })
      if (build === undefined) return 1
      const sourceMaps = await sendSourceMaps(session, { appid, releaseId }, build)
      if (sourceMaps === 0) {
        throw new Failure(1, 'The build has no source maps.', 'Build it with souk build, which writes them beside it.')
      }
      session.print(
        { sourceMaps },
        () => `${session.style('green', 'ok')} ${counted(sourceMaps, 'source map')} uploaded.`,
      )
    },
  })
}

/** The files of a build, and its source maps, which are beside its folder. */
interface PackedBuild {
  files: Map<string, Uint8Array>
  sourceMaps: Map<string, Uint8Array>
}

/** Reads an existing build or builds one. Returns undefined if pages.json has errors. */
async function buildOf(
  session: Session,
  { path, dir, platform, os }: { path: string; dir?: string | undefined; platform: Platform; os?: Os | undefined },
): Promise<PackedBuild | undefined> {
  const { environment } = session
  const folder = dir ?? (await builtRelease(session, { path, platform, os }))?.folder
  if (folder === undefined) return undefined
  const files = await environment.readFolder(folder)
  const maps = `${resolve(environment.folder, folder)}-source-maps`
  const found = await environment.readFolder(maps).catch(() => undefined)
  // The folder may be that of another build.
  const sourceMaps = [...(found ?? [])].filter(([name]) => files.has(name.replace(/\.map$/, '')))
  return { files, sourceMaps: new Map(sourceMaps) }
}

/** Uploads the source maps of a release, if there are any. Returns their number. */
async function sendSourceMaps(
  { server }: Session,
  release: { appid: string; releaseId: string },
  { sourceMaps }: PackedBuild,
): Promise<number> {
  if (sourceMaps.size === 0) return 0
  await server.upload(consoleOperations.uploadSourceMaps, release, await packed(sourceMaps))
  return sourceMaps.size
}

/** Returns the notes of the options. Those of `--note` override those of the file. */
async function notesOf(
  { environment }: Session,
  { note: given, notes: file }: Pick<UploadOptions, 'note' | 'notes'>,
): Promise<{ note?: string; notes?: Record<string, string> }> {
  const notes = file === undefined ? {} : await readNotes(environment, file)
  let note: string | undefined
  for (const text of given) {
    const [, language, translation] = /^([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*)=(.+)$/s.exec(text) ?? []
    if (language !== undefined && translation !== undefined) notes[language] = translation
    else note = text
  }
  return { ...(note && { note }), ...(Object.keys(notes).length > 0 && { notes }) }
}

async function readNotes(environment: Session['environment'], file: string): Promise<Record<string, string>> {
  const text = await environment.readFile(file)
  let found: unknown
  try {
    found = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // Explained below.
  }
  if (typeof found === 'object' && found !== null && Object.values(found).every((note) => typeof note === 'string')) {
    return { ...found } as Record<string, string>
  }
  throw new Failure(2, `${file} does not contain notes.`, 'Write them as {"en": "New menu", "zh_CN": "新菜单"}.')
}

async function versionOf({ environment }: Session, path: string): Promise<string> {
  // A mini app may be named by its pages.json, which may be in src.
  const folder = /\.json[5c]?$/i.test(path) ? dirname(path).replace(/(?<=^|[/\\])src$/, '.') : path
  const file = `${folder}/package.json`
  const text = await environment.readFile(file).catch(() => '{}')
  let found: { version?: unknown } | null
  try {
    // Editors on Windows may write a byte order mark.
    found = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const { message } = error as Error
    throw new Failure(2, `${file} is not valid JSON: ${message}`, 'Correct it, or use --version 1.0.0.')
  }
  const version = found?.version
  if (typeof version === 'string' && version !== '') return version
  throw new Failure(2, `The release has no version: ${file} contains none.`, 'Set it with --version 1.0.0.')
}

const outcomes: Record<ReleaseStage, string> = {
  development: '; testers can open it. Next: souk submit for a review, or souk publish',
  review: '; its publication awaits approval: souk approvals list',
  published: ' and published',
}

/** Creates a reproducible .tar.gz of these files, sorted by path. @throws Failure if it is too large */
async function packed(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const entries = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, data]) => ({ header: { name, size: data.length, mtime: new Date(0) }, body: data }))
  const archive = new Uint8Array(gzipSync(await packTar(entries), { level: 9 }))
  if (archive.length <= maxArchiveSize) return archive
  throw new Failure(
    1,
    `The build is too large: ${size(archive.length)} packed, at most ${size(maxArchiveSize)} are allowed.`,
  )
}
