import { relative, resolve } from 'node:path'
import type { Os, Platform } from '@souk/pages'
import type { Command } from 'commander'
import { buildTool, failureOf } from '../miniApps.ts'
import { reported } from '../pages/report.ts'
import { plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { osOption, platformOption } from './arguments.ts'

/** A file of a release; sizes in bytes. */
interface ReleasedFile {
  path: string
  bytes: number
  gzipped: number
}

interface Built {
  platform: Platform
  /** As it lies from the folder that the command was typed in. */
  folder: string
  milliseconds: number
  /** What the launch page needs: bytes of JavaScript, gzipped. */
  firstLoad: number
  files: readonly ReleasedFile[]
}

/** `souk build`: makes the release of a mini app. */
export function addBuildCommand(program: Command, add: AddCommand): void {
  add<[string | undefined], { platform: Platform; os?: Os; out?: string }>(program, {
    usage: 'build [path]',
    summary: 'make the release of the mini app in a folder (default: this one), for one platform',
    examples: ['build', 'build my-app --platform "Mini App"', 'build my-app --platform App --out release --json'],
    options: (command) =>
      command
        .addOption(platformOption('H5'))
        .addOption(osOption())
        .option('--out <folder>', 'where it goes (default: dist/h5, dist/app or dist/mini-app of the project)'),
    action: async ({ environment, json, style, print }, { platform, os, out }, path = '.') => {
      const { release, PagesFault } = await buildTool()
      const start = environment.now()
      try {
        const { folder, files, firstLoad } = await release({
          project: resolve(environment.folder, path),
          platform,
          ...(os && { os }),
          colors: environment.colors,
          ...(out !== undefined && { out: resolve(environment.folder, out) }),
        })
        const built: Built = {
          platform,
          folder: relative(environment.folder, folder) || '.',
          milliseconds: environment.now() - start,
          firstLoad: files
            .filter((file) => firstLoad.includes(file.path))
            .reduce((sum, { gzipped }) => sum + gzipped, 0),
          files,
        }
        print(built, (it) => render(it, style))
        return undefined
      } catch (error) {
        if (!(error instanceof PagesFault)) throw failureOf(error)
        const { file, text, diagnostics, message } = error
        if (json) {
          const name = relative(environment.folder, file)
          environment.out(`${JSON.stringify({ platform, diagnostics: reported(name, text, diagnostics) })}\n`)
        } else environment.err(`${message}\n\nThere is no release while pages.json has errors.\n`)
        return 1
      }
    },
  })
}

/** Files that are worth a line of their own. */
const shown = 12

function render({ platform, folder, milliseconds, firstLoad, files }: Built, style: Style): string {
  const largest = [...files].sort((a, b) => b.gzipped - a.gzipped).slice(0, shown)
  const rows = largest.map(({ path, bytes, gzipped }) => [plain(path), size(bytes), size(gzipped)])
  const left = files.length - largest.length
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    table(['file', 'size', 'gzipped'], rows, style),
    ...(left > 0 ? [style('dim', `and ${left} smaller ${left === 1 ? 'one' : 'ones'}`)] : []),
    '',
    `${style('green', 'ok')} ${style('bold', plain(folder))}: ${platform}, ${files.length} files, ${size(total)}, in ${(milliseconds / 1000).toFixed(1)} s`,
    `   The launch page loads ${size(firstLoad)} of JavaScript, gzipped.`,
  ].join('\n')
}

const size = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
