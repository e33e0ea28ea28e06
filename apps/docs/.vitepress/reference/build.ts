import { execFile } from 'node:child_process'
import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compress } from '@souk/web/build'
import { examplesFolder } from './examples.ts'

const command = join(import.meta.dirname, '../../../../packages/cli/src/main.ts')

/**
 * Builds the mini app of the examples into a folder of the site. In a process of its own, because a build changes the
 * working directory and variables.
 */
export async function buildExamples(out: string): Promise<void> {
  const node = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
  await promisify(execFile)(process.execPath, [
    ...node,
    command,
    'build',
    examplesFolder,
    '--platform',
    'App',
    '--out',
    out,
  ])
  // For reports of errors, which examples do not send.
  await rm(`${out}-source-maps`, { recursive: true })
  const assets = join(out, 'assets')
  await Promise.all((await readdir(assets)).map((name) => compress(join(assets, name))))
  // What the mock host declares.
  await copyFile(join(examplesFolder, 'host-functions.json'), join(out, 'host-functions.json'))
}
