import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** What deploy/release.yml publishes the clients with, against registries on this machine. */
const execute = promisify(execFile)
const root = dirname(import.meta.dirname)
/** Programs of Debian, which find its packages. */
const PATH = '/usr/bin:/bin'
const has = (command: string) => spawnSync(command, ['--version'], { stdio: 'ignore', env: { PATH } }).status === 0

let folder: string
let release: string
let version: string
let hasJava: boolean

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-publish-'))
  release = join(folder, 'release')
  version = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version
  const env = { ...process.env, GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'souk-example/souk' }
  for (const script of ['packClients', 'packJavaClient']) {
    await execute(process.execPath, [join(root, `setup/${script}.mjs`), release], { env })
  }
  hasJava = (await readdir(release)).includes('java.json')
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs a program with an empty home folder and an identity for git. */
async function run(command: string, args: string[], cwd = folder, env: Record<string, string> = {}): Promise<string> {
  const identity = { GIT_AUTHOR_NAME: 'Layla', GIT_AUTHOR_EMAIL: 'layla@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Layla', GIT_COMMITTER_EMAIL: 'layla@example.com' }
  const { stdout } = await execute(command, args, {
    cwd,
    env: { PATH, HOME: folder, ...identity, ...committer, ...env },
  })
  return stdout
}

/** Returns the commands of a job that start on a line of their own, as GitHub starts them. */
async function commandsOf(job: string): Promise<string[]> {
  const workflow = await readFile(join(root, 'deploy/release.yml'), 'utf8')
  const steps = workflow.split(/^ {2}(?=\S+:$)/m).find((section) => section.startsWith(`${job}:`))!
  const commands = steps.matchAll(/^ {6}- run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm)
  return [...commands].map(([, lines, line]) => lines?.replace(/^ {10}/gm, '') ?? line!)
}

test('the workflow publishes all packages on npm, but not the server', async () => {
  const clone = join(folder, 'npm')
  await mkdir(join(clone, 'release'), { recursive: true })
  for (const name of ['souk-sdk-1.0.0.tgz', 'souk-server-1.0.0.tgz', 'souk-1.0.0.tar.gz']) {
    await writeFile(join(clone, 'release', name), '')
  }
  const [publish] = await commandsOf('npm')
  const printed = await run('bash', ['-ec', `npm() { echo "$@"; }\n${publish}`], clone)
  expect(printed).toBe('publish ./release/souk-sdk-1.0.0.tgz\n')
})

test.skipIf(!has('twine'))('PyPI accepts what the workflow chooses (needs twine)', async () => {
  const clone = join(folder, 'pypi')
  await cp(release, join(clone, 'release'), { recursive: true })
  const [choose] = await commandsOf('pypi')
  await run('bash', ['-ec', choose!], clone)
  const files = await readdir(join(clone, 'pypi'))
  expect(files.sort()).toEqual([`souk-${version}-py3-none-any.whl`, `souk-${version}.tar.gz`])
  const checked = await run('twine', ['check', '--strict', ...files], join(clone, 'pypi'))
  expect(checked.match(/PASSED/g)).toHaveLength(2)
})

test.skipIf(!has('gpg'))(
  'the bundle for Maven Central is signed and complete (needs a JDK and gpg)',
  async ({ skip }) => {
    if (!hasJava) skip()
    const home = join(folder, 'gpg')
    await mkdir(home, { mode: 0o700 })
    const env = { GNUPGHOME: home }
    const generate = [
      '--batch',
      '--passphrase',
      '',
      '--quick-generate-key',
      'Layla <layla@example.com>',
      'ed25519',
      'sign',
    ]
    await run('gpg', generate, folder, env)
    const bundle = join(folder, 'bundle.zip')
    await run(process.execPath, [join(root, 'setup/bundleForCentral.mjs'), release, bundle], folder, env)
    await run('gpgconf', ['--kill', 'all'], folder, env)

    const files = unzipSync(await readFile(bundle))
    const top = `dev/souk/souk/${version}/souk-${version}`
    const signed = ['.jar', '-javadoc.jar', '-sources.jar', '.pom'].map((suffix) => `${top}${suffix}`)
    expect(Object.keys(files).sort()).toEqual(
      signed.flatMap((name) => [name, `${name}.asc`, `${name}.md5`, `${name}.sha1`]).sort(),
    )
    for (const name of signed) {
      const [content, signature] = [join(folder, 'content'), join(folder, 'signature')]
      await writeFile(content, files[name]!)
      await writeFile(signature, files[`${name}.asc`]!)
      await run('gpg', ['--verify', signature, content], folder, env)
      const digest = createHash('sha1').update(files[name]!).digest('hex')
      expect(Buffer.from(files[`${name}.sha1`]!).toString()).toBe(digest)
    }
    // What Central requires of a pom.
    const pom = Buffer.from(files[`${top}.pom`]!).toString()
    for (const field of ['name', 'description', 'url', 'licenses', 'developers', 'scm']) {
      expect(pom).toContain(`  <${field}>`)
    }
  },
)

/** Pushes an archive to a new repository on this machine, as the workflow does, and returns the repository. */
async function push(client: string): Promise<string> {
  const repository = join(folder, `${client}.git`)
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository])
  const script = join(root, 'setup/pushSources.mjs')
  const args = [script, join(release, `souk-${client}-${version}.zip`), repository, `v${version}`]
  await run(process.execPath, args)
  expect(await run(process.execPath, args)).toContain(`has v${version} already`)
  return repository
}

test('the module of Go is the root of its repository', async () => {
  const repository = await push('go')
  const files = (await run('git', ['ls-tree', '--name-only', `v${version}`], repository)).split('\n')
  expect(files).toEqual(expect.arrayContaining(['go.mod', 'client.go', 'LICENSE', 'CHANGELOG.md', 'README.md']))
})

test.skipIf(!has('composer'))('Composer installs the package from its repository (needs composer)', async () => {
  const repository = await push('php')
  const env = { COMPOSER_HOME: join(folder, 'composer'), COMPOSER_ALLOW_SUPERUSER: '1' }
  const composer = (cwd: string, ...args: string[]) => run('composer', ['--no-interaction', ...args], cwd, env)
  const clone = join(folder, 'clone')
  await run('git', ['clone', '--quiet', repository, clone])
  // Tags name the version, too: the field is for the archive, which has no tags.
  await composer(clone, 'validate', '--strict', '--no-check-version')
  const project = join(folder, 'shop')
  await mkdir(project)
  await composer(project, 'init', '--name=shop/backend')
  await composer(project, 'config', 'repositories.packagist.org', 'false')
  await composer(project, 'config', 'repositories.souk', 'vcs', repository)
  await composer(project, 'require', `souk/souk:${version}`)
  expect(await readdir(join(project, 'vendor/souk/souk'))).toContain('LICENSE')
})
