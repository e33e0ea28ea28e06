import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compiledJava, javaRelease, languages } from './languages.ts'

/*
 * Each client on the oldest version that its manifest promises. Debian has one version of each language. Node is in
 * packages/sdk/test/tarball.test.ts, which runs the packed client on the oldest one.
 */
const execute = promisify(execFile)
const sdks = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(sdks, path), 'utf8')
const isInstalled = (name: string) => languages.find((language) => language.folder === name)!.isInstalled
const output = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' }).stdout ?? ''

/** Debian's own Python, whose mypy knows which version of Python has what. */
const python = '/usr/bin/python3'
const mypy = [
  '-m',
  'mypy',
  '--ignore-missing-imports',
  '--check-untyped-defs',
  '--no-error-summary',
  '--cache-dir=/dev/null',
]

/** Returns what mypy finds in a version of Python. */
async function findings(version: string, folder: string): Promise<string[]> {
  const run = execute(python, [...mypy, '--hide-error-context', `--python-version=${version}`, '.'], { cwd: folder })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return stdout.split('\n').filter((line) => line.includes(': error: '))
}

/** Returns what mypy finds in the oldest version of Python, but not in the one that is installed. */
async function onlyInOldest(folder: string): Promise<string[]> {
  const [, oldest] = /^requires-python = ">=(.*)"$/m.exec(read('python/pyproject.toml'))!
  const installed = output(python, '-c', 'import sys; print("%d.%d" % sys.version_info[:2])').trim()
  const [before, now] = await Promise.all([oldest!, installed].map((version) => findings(version, folder)))
  return before!.filter((finding) => !now!.includes(finding))
}

test.skipIf(!output(python, '-m', 'mypy', '--version'))(
  'Python: syntax and library of the oldest version (needs mypy; behaviour that differs is not checked)',
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-oldest-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'newer.py'), 'import itertools\nprint(list(itertools.pairwise([1])))\n')
    expect(await onlyInOldest(folder)).toEqual([expect.stringContaining('pairwise')])
    expect(await onlyInOldest(join(sdks, 'python/souk'))).toEqual([])
  },
)

const [, goVersion = ''] = /^go (\d+\.\d+)$/m.exec(read('go/go.mod')) ?? []
test.skipIf(!output('go', 'version').includes(`go${goVersion}.`))(
  `Go: the oldest version runs all tests of this folder (needs Go ${goVersion}, which is Debian's)`,
  () => {
    expect(Number(goVersion.split('.')[1])).toBeLessThanOrEqual(21)
  },
)

test.skipIf(!isInstalled('java'))('Java: the compiler checks syntax and library of the oldest version', () => {
  const bytes = readFileSync(join(compiledJava(), 'dev/souk/Souk.class'))
  expect(bytes.readUInt16BE(6)).toBe(44 + Number(javaRelease))
})

test.skipIf(!isInstalled('php') || !existsSync('/usr/share/php/PhpParser/autoload.php'))(
  "PHP: nothing that 8.2 has added (needs php-parser; that 8.1 behaves as Debian's 8.2 is not checked)",
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-oldest-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const newer = join(folder, 'newer.php')
    await writeFile(newer, '<?php\nreadonly class Tea {}\nfunction f(): null { return curl_upkeep(1); }\n')
    const used = async (...files: string[]): Promise<string[]> =>
      JSON.parse((await execute('php', [join(sdks, 'php/tests/newer.php'), ...files])).stdout)
    expect(await used(newer)).toEqual([
      `${newer}:2: a readonly class`,
      `${newer}:3: the type null`,
      `${newer}:3: curl_upkeep()`,
    ])
    expect(JSON.parse(read('php/composer.json')).require['php-64bit']).toBe('>=8.1')
    expect(await used(...globSync('php/src/**/*.php', { cwd: sdks }).map((path) => join(sdks, path)))).toEqual([])
  },
)
