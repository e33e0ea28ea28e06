import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { inject } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** A copy of the repository in which a test follows a recipe of ARCHITECTURE.md. */
export interface RepositoryCopy {
  folder: string
  /** Adds text to a file, before the first occurrence of `before`. @throws Error if there is none */
  add(path: string, before: string, added: string): Promise<void>
  /** Runs Node in the copy and returns its output. @throws Error with the output if it fails */
  run(...args: string[]): Promise<string>
  /** Checks the types of a project, given by its path. @throws Error with what the compiler says */
  checkTypes(project: string): Promise<void>
  /** Runs test files. Returns how many have a test that matches the pattern and passes. @throws Error if one fails */
  runTests(namePattern: string, files: string[]): Promise<number>
  remove(): Promise<void>
}

/** Copies these files and folders of the repository, and links the others, which must not be written. */
export async function copyRepository(copied: readonly string[]): Promise<RepositoryCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-recipe-'))
  const filter = (path: string) => !/^(node_modules|dist|.*\.tsbuildinfo)$/.test(basename(path))

  async function copyOrLink(parent: string, names: string[]): Promise<void> {
    for (const name of names) {
      const path = join(parent, name)
      if (copied.includes(path)) {
        await cp(join(root, path), join(folder, path), { recursive: true, filter })
        // Packages of which others need another version.
        const own = join(path, 'node_modules')
        if (existsSync(join(root, own))) await symlink(join(root, own), join(folder, own))
      } else if (copied.some((each) => each.startsWith(`${path}/`))) {
        await mkdir(join(folder, path))
        await copyOrLink(path, await readdir(join(root, path)))
      } else await symlink(join(root, path), join(folder, path))
    }
  }
  const ownFiles = ['.git', 'node_modules', 'vitest.config.ts']
  await copyOrLink(
    '',
    (await readdir(root)).filter((name) => !ownFiles.includes(name)),
  )
  await mkdir(join(folder, 'node_modules/@souk'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (!['@souk', '.cache', '.vite'].includes(name))
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const name of await readdir(join(root, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(folder, 'node_modules/@souk', name))
  }
  await writeFile(join(folder, 'vitest.config.ts'), vitestConfig)
  const provide = "export default ({ provide }) => provide('templateUrl', process.env.TEMPLATE_URL)"
  await writeFile(join(folder, 'provide.ts'), provide)

  function run(...args: string[]): Promise<string> {
    const env = { ...process.env, TEMPLATE_URL: inject('templateUrl') }
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 2 ** 25 }, (failure, out, err) =>
        failure ? reject(new Error(`${args.join(' ')} failed:\n${(out + err).slice(-5_000)}`)) : resolve(out),
      )
    })
  }
  return {
    folder,
    async add(path, before, added) {
      const file = join(folder, path)
      const text = await readFile(file, 'utf8')
      if (!text.includes(before)) throw new Error(`${path} does not contain ${before}`)
      await writeFile(
        file,
        text.replace(before, () => added + before),
      )
    },
    run,
    async checkTypes(project) {
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      // Several threads take nearly twice the processor time, since each checks the types that it uses.
      await run(tsc, '--noEmit', '--singleThreaded', '--incremental', 'false', '--project', project)
    },
    async runTests(namePattern, files) {
      const vitest = join(root, 'node_modules/vitest/vitest.mjs')
      const options = ['--reporter=dot', '--reporter=json', '--outputFile.json=report.json']
      await run('--conditions=souk-source', vitest, 'run', ...options, `--testNamePattern=${namePattern}`, ...files)
      const { testResults } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
      return testResults.filter(({ assertionResults }: { assertionResults: { status: string }[] }) =>
        assertionResults.some(({ status }) => status === 'passed'),
      ).length
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const vitestConfig = `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--conditions=souk-source', '--disable-warning=ExperimentalWarning'],
    globalSetup: ['provide.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
`
