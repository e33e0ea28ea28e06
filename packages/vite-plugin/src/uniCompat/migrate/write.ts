import { execFile } from 'node:child_process'
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import type { Change } from './changes.ts'

/** The changes are not written, because something could get lost. */
export class UnsafeWrite extends Error {
  override readonly name = 'UnsafeWrite'
}

const run = promisify(execFile)

/**
 * Writes changes, all checks first. Each file is replaced as a whole.
 *
 * @param folder all files must be in it
 * @param force writes even if git could not restore the files
 * @throws UnsafeWrite
 */
export async function writeChanges(folder: string, changes: readonly Change[], force: boolean): Promise<void> {
  const home = await realpath(folder)
  const targets = await Promise.all(changes.map((change) => targetOf(home, change)))
  if (!force)
    await requireCleanTree(
      home,
      targets.filter((_, index) => changes[index]!.before !== undefined),
    )
  for (const [index, { after }] of changes.entries()) await replaceFile(targets[index]!, after)
}

/** Returns the real path of the file to write. @throws UnsafeWrite if it is elsewhere, or has changed */
async function targetOf(home: string, { file, before }: Change): Promise<string> {
  const isNew = before === undefined
  const target = isNew ? file : await realpath(file)
  const inside = isNew ? await realpath(dirname(file)) : target
  if (inside !== home && !inside.startsWith(home + sep)) {
    throw new UnsafeWrite(`${file} is a link to a file outside of the project.`)
  }
  const current = isNew ? await readFile(file, 'utf8').catch(() => undefined) : await readFile(target, 'utf8')
  if (current?.replace(/^\uFEFF/, '') !== before?.replace(/^\uFEFF/, '')) {
    throw new UnsafeWrite(`${file} has changed since it was read.`)
  }
  return target
}

/** @throws UnsafeWrite if the folder has changes that are not committed, or git does not know one of the files */
async function requireCleanTree(home: string, files: readonly string[]): Promise<void> {
  const git = async (...args: string[]) => (await run('git', ['-C', home, ...args], { maxBuffer: 100_000_000 })).stdout
  const changed = await git('status', '--porcelain', '--', '.').catch(() => undefined)
  if (changed === undefined)
    throw new UnsafeWrite('The project is not in a git repository, so that nothing could be restored.')
  if (changed !== '') throw new UnsafeWrite('The git tree has changes that are not committed.')
  const tracked = (await git('ls-files', '-z', '--full-name', '--', ...files)).split('\0').filter(Boolean)
  if (tracked.length < files.length) {
    const names = files.map((file) => relative(home, file)).join(', ')
    throw new UnsafeWrite(`git ignores one of the files to change: ${names}.`)
  }
}

/** Writes a file beside the old one first, so that a failure never leaves a part of it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const old = await stat(file).catch(() => undefined)
  const before = old && (await readFile(file, 'utf8'))
  const mark = before?.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const temporary = `${file}.souk-${process.pid}`
  try {
    await writeFile(temporary, mark + text, { flag: 'wx' })
    if (old) await chmod(temporary, old.mode)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
