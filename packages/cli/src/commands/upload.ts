import { gzipSync } from 'node:zlib'
import { consoleOperations, maxArchiveSize, type ReleasePlatform, type ReleaseStage } from '@souk/contract'
import type { Os, Platform } from '@souk/pages'
import type { Command } from 'commander'
import { packTar } from 'modern-tar'
import { Failure } from '../failure.ts'
import { builtRelease } from '../miniApps.ts'
import { fields, plain, size } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'
import { signRelease } from '../signingKey.ts'
import { osOption, platformOption } from './arguments.ts'

interface UploadOptions {
  appid: string
  platform?: Platform
  os?: Os
  dir?: string
  version?: string
  note?: string
  publish?: true
}

/** `souk upload`: builds a mini app, signs it with the developer's key, and uploads it to Souk as a release. */
export function addUploadCommand(program: Command, add: AddCommand): void {
  add<[string | undefined], UploadOptions>(program, {
    usage: 'upload [path]',
    summary: 'build the mini app in a folder (default: current), sign it and upload it as a release',
    examples: [
      'upload --appid demoapp00000001 --version 1.4.0',
      'upload my-app --appid demoapp00000001 --platform App --note "New menu" --publish',
      'upload --dir dist/mini-app --appid demoapp00000001 --version 1.4.0 --json',
    ],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .addOption(platformOption())
        .addOption(osOption())
        .option('--dir <folder>', 'upload this existing build')
        .option('--version <version>', 'version (default: version in package.json)')
        .option('--note <text>', 'release note for the reviewer')
        .option('--publish', 'publish the release immediately'),
    action: async (session, { appid, platform, os, dir, note, publish, ...given }, path = '.') => {
      const { environment, server, print, style } = session
      const version = given.version ?? (await versionOf(session, path))
      const folder = dir ?? (await builtRelease(session, { path, platform: platform ?? 'Mini App', os }))?.folder
      if (folder === undefined) return 1
      const archive = await packed(await environment.readFolder(folder))
      const input = {
        appid,
        version,
        ...(platform && { platform: platform as ReleasePlatform }),
        ...(note && { note }),
        ...signRelease(await environment.signingKey(), { appid, version, archive }),
      }
      const { releaseId } = await server.upload(consoleOperations.uploadRelease, input, archive)
      const [release] = publish
        ? [await server.call(consoleOperations.publishRelease, { appid, releaseId })]
        : (await server.call(consoleOperations.listReleases, { appid })).filter((one) => one.releaseId === releaseId)
      print(release!, (it) =>
        [
          `${style('green', 'ok')} ${style('bold', plain(it.version))} for ${it.platform} uploaded${outcomes[it.stage]}.`,
          fields(
            [
              ['release', it.releaseId],
              ['files', `${it.files}, ${size(it.size)}, packed ${size(archive.length)}`],
              ['at', `${server.url}${it.url}`],
              ['signed by', it.signedBy ? `${plain(it.signedBy.owner)}, key ${it.signedBy.keyId}` : '–'],
            ],
            style,
          ),
        ].join('\n'),
      )
      return undefined
    },
  })
}

async function versionOf({ environment }: Session, path: string): Promise<string> {
  const file = `${path}/package.json`
  const version: unknown = await environment.readFile(file).then(
    (text) => (JSON.parse(text) as { version?: unknown } | null)?.version,
    () => undefined,
  )
  if (typeof version === 'string' && version !== '') return version
  throw new Failure(2, `The release has no version: ${file} contains none.`, 'Set it with --version 1.0.0.')
}

const outcomes: Record<ReleaseStage, string> = {
  development: '; testers can open it',
  review: '; its publication awaits approval: souk approvals list',
  published: ' and published',
}

/** Creates a reproducible .tar.gz of these files, sorted by path. */
async function packed(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const entries = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, data]) => ({ header: { name, size: data.length, mtime: new Date(0) }, body: data }))
  const archive = new Uint8Array(gzipSync(await packTar(entries), { level: 9 }))
  if (archive.length <= maxArchiveSize) return archive
  throw new Failure(
    1,
    `The release is too large: ${size(archive.length)} packed, at most ${size(maxArchiveSize)} are allowed.`,
  )
}
