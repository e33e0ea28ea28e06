import { relative } from 'node:path'
import type { Os, Platform } from '@souk/pages'
import type { PlatformChoice } from '@souk/project'
import type { Command } from 'commander'
import { builtRelease, describePlatform, platformOf } from '../miniApps.ts'
import { counted, plain, type Style, size, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { osOption, targetOption } from './arguments.ts'

/** A file of a release; sizes in bytes. */
interface ReleasedFile {
  path: string
  bytes: number
  gzipped: number
}

interface Built {
  platform: Platform
  platformSource: PlatformChoice['source']
  /** Path relative to the current directory. */
  folder: string
  milliseconds: number
  /** JavaScript of the launch page, gzipped, in bytes. */
  firstLoad: number
  files: readonly ReleasedFile[]
}

/** `souk build`: builds a release of a mini app. */
export function addBuildCommand(program: Command, add: AddCommand): void {
  add<[string | undefined], { platform?: Platform; os?: Os; out?: string }>(program, {
    usage: 'build [path]',
    examples: ['build', 'build my-app --platform "Mini App"', 'build my-app --platform H5 --out release --json'],
    options: (command) =>
      command
        .addOption(targetOption())
        .addOption(osOption())
        .option('--out <folder>', 'output folder (default: dist/h5, dist/app or dist/mini-app of the project)'),
    action: async (session, { platform: option, os, out }, path = '.') => {
      const { environment, style, print } = session
      const start = environment.now()
      const { platform, source } = await platformOf(session, path, option)
      const release = await builtRelease(session, { path, platform, os, out })
      if (release === undefined) return 1
      const { folder, files, firstLoad } = release
      const built: Built = {
        platform,
        platformSource: source,
        folder: relative(environment.folder, folder) || '.',
        milliseconds: environment.now() - start,
        firstLoad: files.filter((file) => firstLoad.includes(file.path)).reduce((sum, { gzipped }) => sum + gzipped, 0),
        files,
      }
      print(built, (it) => render(it, style))
    },
  })
}

/** Files that are listed individually. */
const shown = 12

function render({ platform, platformSource, folder, milliseconds, firstLoad, files }: Built, style: Style): string {
  const largest = [...files].sort((a, b) => b.gzipped - a.gzipped).slice(0, shown)
  const rows = largest.map(({ path, bytes, gzipped }) => [plain(path), size(bytes), size(gzipped)])
  const left = files.length - largest.length
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    table(['file', 'size', 'gzipped'], rows, style),
    ...(left > 0 ? [style('dim', `and ${counted(left, 'smaller file')}`)] : []),
    '',
    `${style('green', 'ok')} ${style('bold', plain(folder))}: ${describePlatform({ platform, source: platformSource })}, ${files.length} files, ${size(total)}, in ${(milliseconds / 1000).toFixed(1)} s`,
    `   The launch page loads ${size(firstLoad)} of JavaScript, gzipped.`,
  ].join('\n')
}
