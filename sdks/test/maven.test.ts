import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
/** Debian's repository of Maven, which its packages of Java libraries and plugins fill. */
const repository = '/usr/share/maven-repo'
const properties = {
  jackson: 'com/fasterxml/jackson/core/jackson-databind',
  spring: 'org/springframework/spring-web',
  junit: 'org/junit/jupiter/junit-jupiter',
  surefire: 'org/apache/maven/plugins/maven-surefire-plugin',
  'source-plugin': 'org/apache/maven/plugins/maven-source-plugin',
  'javadoc-plugin': 'org/apache/maven/plugins/maven-javadoc-plugin',
}
const needed =
  'maven libsurefire-java libmaven-resources-plugin-java libmaven-source-plugin-java libmaven-javadoc-plugin-java'
const isInstalled =
  spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status === 0 &&
  ['resources', 'surefire', 'source', 'javadoc']
    .map((name) => `org/apache/maven/plugins/maven-${name}-plugin`)
    .concat(Object.values(properties))
    .every((path) => existsSync(join(repository, path)))

/** Returns the newest version that is installed: others are names of it, which other packages of Debian use. */
function installedVersion(path: string): string {
  const versions = readdirSync(join(repository, path)).filter((name) => /^\d+\.\d+\.\d/.test(name))
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)!
}

test.skipIf(!isInstalled)(
  `Maven builds and tests the client in Java (needs Debian's ${needed})`,
  { timeout: 300_000 },
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-maven-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const project = join(folder, 'sdks/java')
    const isOutput = (path: string) => path === join(root, 'sdks/java/target')
    await cp(join(root, 'sdks/java'), project, { recursive: true, filter: (path) => !isOutput(path) })
    await mkdir(join(folder, 'packages'))
    await cp(join(root, 'packages/contract/vectors'), join(folder, 'packages/contract/vectors'), { recursive: true })
    // Links, because Maven adds files to its repository.
    const local = join(folder, 'repository')
    await run('cp', ['--recursive', '--symbolic-link', repository, local])
    const versions = Object.entries(properties).map(([name, path]) => `-D${name}.version=${installedVersion(path)}`)
    const flags = ['--offline', '--batch-mode', `-Dmaven.repo.local=${local}`, ...versions]
    const { stdout } = await run('mvn', [...flags, 'package'], { cwd: project, maxBuffer: 2 ** 26 })
    expect(stdout).toMatch(/Tests run: [1-9]\d*, Failures: 0, Errors: 0, Skipped: 0\n/)
    const jars = readdirSync(join(project, 'target')).filter((name) => name.endsWith('.jar'))
    expect(jars.sort()).toEqual(['souk-0.2.0-javadoc.jar', 'souk-0.2.0-sources.jar', 'souk-0.2.0.jar'])
  },
)
