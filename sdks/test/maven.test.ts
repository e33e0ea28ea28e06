import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startClientServer } from '../../apps/server/test/clientServer.ts'

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
  'maven libsurefire-java libmaven-resources-plugin-java libmaven-source-plugin-java libmaven-javadoc-plugin-java ' +
  'libmaven-dependency-plugin-java'
const isInstalled =
  spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status === 0 &&
  ['resources', 'surefire', 'source', 'javadoc', 'dependency']
    .map((name) => `org/apache/maven/plugins/maven-${name}-plugin`)
    .concat(Object.values(properties))
    .every((path) => existsSync(join(repository, path)))

/** Returns the newest version that is installed: others are names of it, which other packages of Debian use. */
function installedVersion(path: string): string {
  const versions = readdirSync(join(repository, path)).filter((name) => /^\d+\.\d+\.\d/.test(name))
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)!
}

/** Contains the repository of Maven on this machine, with links to Debian's, because Maven adds files. */
let machine: string
const local = () => join(machine, 'repository')

beforeAll(async () => {
  machine = await mkdtemp(join(tmpdir(), 'souk-maven-'))
  if (isInstalled) await run('cp', ['--recursive', '--symbolic-link', repository, local()])
})
afterAll(() => rm(machine, { recursive: true }))

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
    const versions = Object.entries(properties).map(([name, path]) => `-D${name}.version=${installedVersion(path)}`)
    const flags = ['--offline', '--batch-mode', `-Dmaven.repo.local=${local()}`, ...versions]
    const { stdout } = await run('mvn', [...flags, 'package'], { cwd: project, maxBuffer: 2 ** 26 })
    expect(stdout).toMatch(/Tests run: [1-9]\d*, Failures: 0, Errors: 0, Skipped: 0\n/)
    const jars = readdirSync(join(project, 'target')).filter((name) => name.endsWith('.jar'))
    expect(jars.sort()).toEqual(['souk-0.2.0-javadoc.jar', 'souk-0.2.0-sources.jar', 'souk-0.2.0.jar'])
  },
)

test.skipIf(!isInstalled)(
  'Maven installs the client from Souk as its README says, and compiles the program there',
  { timeout: 300_000 },
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-maven-'))
    const { url, answers, server } = await startClientServer()
    onTestFinished(async () => {
      await server.close()
      await rm(folder, { recursive: true })
    })

    const readme = await readFile(join(root, 'sdks/java/README.md'), 'utf8')
    const [, repositories = ''] = /^```xml\n(.*?)^```/ms.exec(readme) ?? []
    const [, program = ''] = /^```java\n(.*?)^```/ms.exec(readme) ?? []
    // Debian has one version of Jackson, under its own number.
    const jackson = ['annotations', 'core', 'databind'].map((name) => {
      const version = installedVersion(`com/fasterxml/jackson/core/jackson-${name}`)
      return `<dependency><groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-${name}</artifactId><version>${version}</version></dependency>`
    })
    const project = join(folder, 'shop')
    await mkdir(join(project, 'src/main/java'), { recursive: true })
    await writeFile(join(project, 'src/main/java/Shop.java'), program)
    await writeFile(
      join(project, 'pom.xml'),
      `<project>
<modelVersion>4.0.0</modelVersion>
<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<properties>
  <maven.compiler.release>11</maven.compiler.release>
  <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
</properties>
${repositories.replaceAll('http://localhost:7070', url)}
<dependencyManagement><dependencies>${jackson.join('')}</dependencies></dependencyManagement>
</project>`,
    )
    // Nothing is downloaded but from Souk.
    const nowhere = `<mirror><id>nowhere</id><mirrorOf>central</mirrorOf><url>file://${folder}/nowhere</url></mirror>`
    await writeFile(join(folder, 'settings.xml'), `<settings><mirrors>${nowhere}</mirrors></settings>`)
    const flags = ['--batch-mode', '--strict-checksums', `-Dmaven.repo.local=${local()}`]
    const mvn = (goal: string) =>
      run('mvn', [...flags, '--settings', join(folder, 'settings.xml'), goal], { cwd: project })
    await mvn('compile')

    expect(readdirSync(join(project, 'target/classes'))).toEqual(['Shop.class'])
    const installed = 'maven/dev/souk/souk/0.2.0/souk-0.2.0'
    expect(answers).toEqual(['pom', 'pom.sha1', 'jar', 'jar.sha1'].map((type) => `200 /${installed}.${type}`))
    // As the README says, without compiling the project.
    expect(readme).toContain('mvn dependency:copy-dependencies\njava -cp "target/dependency/*" Shop.java')
    await mvn('dependency:copy-dependencies')
    const started = run('java', ['-cp', 'target/dependency/*', 'src/main/java/Shop.java', 'code'], {
      cwd: project,
      env: { ...process.env, SOUK_URL: url, SOUK_APPID: 'demoapp00000001', SOUK_SECRET: '0'.repeat(32) },
    })
    // This server only has packages.
    await expect(started).rejects.toThrow('dev.souk.')
    for (const path of ['dev/souk/souk/0.0.1/souk-0.0.1.pom', 'org/example/tea/1/tea-1.jar', 'dev/souk/souk']) {
      expect([path, (await fetch(`${url}/maven/${path}`)).status]).toEqual([path, 404])
    }
    const index = `${url}/maven/dev/souk/souk/maven-metadata.xml`
    expect(await (await fetch(index)).text()).toContain('<release>0.2.0</release>')
    const sources = await (await fetch(`${url}/${installed}-sources.jar`)).bytes()
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
      const digest = createHash(algorithm).update(sources).digest('hex')
      expect(await (await fetch(`${url}/${installed}-sources.jar.${algorithm}`)).text()).toBe(digest)
    }
  },
)
