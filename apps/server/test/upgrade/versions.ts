import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')

/** A version of Souk that `startServer` can run. */
export interface OtherVersion {
  repository: string
  remove(): Promise<void>
}

/** Returns whether the repository has this commit, which a shallow clone may not. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Returns the server of a commit with the packages of its lockfile, which can differ from those of this version. */
export async function versionOfCommit(commit: string): Promise<OtherVersion> {
  return create(async (repository) => {
    const workspaces = ['apps/server', 'packages/contract', 'packages/pages']
    const files = ['package.json', 'package-lock.json', ...workspaces]
    const archive = execFileSync('git', ['archive', commit, ...files], { cwd: root, maxBuffer: 2 ** 28 })
    execFileSync('tar', ['-x', '-C', repository], { input: archive })
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
    execFileSync('npm', ['ci', ...flags, ...workspaces.flatMap((name) => ['--workspace', name])], {
      cwd: repository,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  })
}

/** Returns this server with another version number and one more migration. */
export async function nextVersion(version: string, migration: string): Promise<OtherVersion> {
  return create(async (repository) => {
    const server = join(repository, 'apps/server')
    for (const name of ['src', 'migrations']) {
      await cp(join(root, 'apps/server', name), join(server, name), { recursive: true })
    }
    const manifest = JSON.parse(await readFile(join(root, 'apps/server/package.json'), 'utf8'))
    await writeFile(join(server, 'package.json'), JSON.stringify({ ...manifest, version }))
    await writeFile(join(server, 'migrations/9999_next_version.sql'), migration)
    // Installed once in the workspace's root, and for a few packages in the workspace itself.
    await symlink(join(root, 'node_modules'), join(repository, 'node_modules'))
    const own = join(root, 'apps/server/node_modules')
    if ((await readdir(own).catch(() => [])).length > 0) await symlink(own, join(server, 'node_modules'))
  })
}

async function create(fill: (repository: string) => Promise<void>): Promise<OtherVersion> {
  const repository = await mkdtemp(join(tmpdir(), 'souk-version-'))
  await fill(repository)
  return { repository, remove: () => rm(repository, { recursive: true }) }
}
