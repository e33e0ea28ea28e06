import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = dirname(import.meta.dirname)

interface Packed {
  file: string
  manifest: {
    name: string
    version: string
    description: string
    license: string
    publishConfig: object
    repository: object
  }
}

let folder: string
let packages: Packed[]

const repository = 'https://github.com/souk-example/souk'
const env = {
  ...process.env,
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'souk-example/souk',
  COMMIT: '1a2b3c4',
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-packages-'))
  await run(process.execPath, [join(root, 'setup/packPackages.mjs'), folder], { env })
  packages = JSON.parse(await readFile(join(folder, 'packages.json'), 'utf8'))
}, 300_000)

afterAll(() => rm(folder, { recursive: true }))

/** Returns the links to files that a package does not contain. */
const relativeLinks = (readme: string) => readme.match(/\]\(\.\.[^)]*\)/g) ?? []

const tar = async (...args: string[]) => (await run('tar', args, { cwd: folder })).stdout

test('each tarball has its license, changelog and readme', async () => {
  expect(packages.length).toBeGreaterThan(10)
  for (const { file, manifest } of packages) {
    const paths = (await tar('--list', '--file', file)).trim().split('\n')
    const shared = ['LICENSE', 'CHANGELOG.md', 'README.md', 'package.json'].map((name) => `package/${name}`)
    const readme = await tar('--extract', '--to-stdout', '--file', file, 'package/README.md')
    expect([manifest.name, relativeLinks(readme)]).toEqual([manifest.name, []])
    expect([manifest.name, shared.filter((path) => !paths.includes(path))]).toEqual([manifest.name, []])
    const license = await tar('--extract', '--to-stdout', '--file', file, 'package/LICENSE')
    expect(license).toBe(await readFile(join(root, 'LICENSE'), 'utf8'))
  }
})

test('each tarball is published with the provenance of the repository that built it', async () => {
  for (const { file, manifest } of packages) {
    const packed = JSON.parse(await tar('--extract', '--to-stdout', '--file', file, 'package/package.json'))
    expect(packed).toMatchObject({
      license: 'Apache-2.0',
      description: expect.stringMatching(/\w/),
      publishConfig: { access: 'public', provenance: true },
      repository: {
        type: 'git',
        url: 'git+https://github.com/souk-example/souk.git',
        directory: expect.stringMatching(/^packages\/[\w-]+$/),
      },
    })
    expect(packed).toEqual(manifest)
  }
})

test('npm would publish each tarball for everyone', { timeout: 300_000 }, async () => {
  // Nothing is sent: npm asks no registry if it only says what it would do.
  const flags = ['--dry-run', '--json', '--registry=http://127.0.0.1:9', '--fetch-retries=0', '--loglevel=notice']
  await Promise.all(
    packages.map(async ({ file, manifest: { name, version } }) => {
      const { stdout, stderr } = await run('npm', ['publish', `./${file}`, ...flags], { cwd: folder })
      expect(JSON.parse(stdout)).toMatchObject({ [name]: { id: `${name}@${version}` } })
      expect(stderr).toContain('with tag latest and public access (dry-run)')
    }),
  )
})

test('the packed command names the commit that it was built from', async () => {
  const { file, manifest } = packages.find(({ manifest }) => manifest.name === '@souk/cli')!
  const version = `${manifest.version}+1a2b3c4`
  const build = JSON.parse(await tar('--extract', '--to-stdout', '--file', file, 'package/dist/build.json'))
  expect(build).toEqual({ version, commit: '1a2b3c4' })
  await tar('--extract', '--file', file)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await run(process.execPath, [join(folder, 'package/dist/main.js'), '--version'])
  expect(stdout).toBe(`${version}\n`)
})

/** What a package of a client says of itself, and the texts in it. */
interface Client {
  license: string
  changelog: string
  readme: string
  /** License, description, keywords, home page and sources, as far as its format has them. */
  metadata: Record<string, unknown>
  /** The oldest version of its language. */
  oldest: string
}

const keywords = ['souk', 'mini apps', 'payments']
const description = expect.stringContaining("lient of Souk's open API")
const homepage = `${repository}#readme`

test('the packages of all five clients have license, changelog, readme, metadata and the oldest version', async () => {
  await run(process.execPath, [join(root, 'setup/packClients.mjs'), folder], { env })
  const hasJava = await run('javac', ['--version']).catch(() => undefined)
  await run(process.execPath, [join(root, 'setup/packJavaClient.mjs'), folder], { env })
  const version = packages[0]!.manifest.version
  const unzip = async (file: string, path: string) => {
    const content = unzipSync(await readFile(join(folder, file)), { filter: ({ name }) => name === path })[path]
    return Buffer.from(content!).toString()
  }
  const untar = (file: string, path: string) => tar('--extract', '--to-stdout', '--file', file, path)
  /** Returns the fields of the metadata of Python, and its text. */
  const fieldsOf = (text: string) => {
    const [head = '', readme = ''] = text.split(/\n\n([\s\S]*)/)
    const values = (name: string) => [...head.matchAll(RegExp(`^${name}: (.*)$`, 'gm'))].map(([, value]) => value!)
    return { values, readme }
  }

  const clients: Record<string, () => Promise<Client>> = {
    '@souk/sdk': async () => {
      const file = packages.find(({ manifest }) => manifest.name === '@souk/sdk')!.file
      const text = (name: string) => untar(file, `package/${name}`)
      const { engines, repository: source, ...manifest } = JSON.parse(await text('package.json'))
      const metadata = { ...manifest, sources: source.url.replace(/^git\+|\.git$/g, '') }
      const [license, changelog, readme] = await Promise.all(['LICENSE', 'CHANGELOG.md', 'README.md'].map(text))
      return { license, changelog, readme, metadata, oldest: engines.node } as Client
    },
    'the wheel': async () => {
      const file = `souk-${version}-py3-none-any.whl`
      const text = (name: string) => unzip(file, `souk-${version}.dist-info/${name}`)
      const { values, readme } = fieldsOf(await text('METADATA'))
      const urls = Object.fromEntries(values('Project-URL').map((line) => line.split(', ')))
      expect(urls.Changelog).toBe(`${repository}/blob/v${version}/CHANGELOG.md`)
      const metadata = {
        license: values('License')[0],
        description: values('Summary')[0],
        keywords: values('Keywords')[0]!.split(','),
        homepage: urls.Homepage,
        sources: urls.Repository,
      }
      const oldest = values('Requires-Python')[0]!
      return { license: await text('LICENSE'), changelog: await text('CHANGELOG.md'), readme, metadata, oldest }
    },
    'the source archive': async () => {
      const text = (name: string) => untar(`souk-${version}.tar.gz`, `souk-${version}/${name}`)
      const wheel = await clients['the wheel']!()
      expect(await text('PKG-INFO')).toBe(
        await unzip(`souk-${version}-py3-none-any.whl`, `souk-${version}.dist-info/METADATA`),
      )
      return {
        ...wheel,
        license: await text('LICENSE'),
        changelog: await text('CHANGELOG.md'),
        readme: await text('README.md'),
      }
    },
    'the module of Go': async () => {
      const text = (name: string) => unzip(`souk-go-${version}.zip`, `souk.dev/souk@v${version}/${name}`)
      const [, oldest] = /^go (.*)$/m.exec(await text('go.mod'))!
      return {
        license: await text('LICENSE'),
        changelog: await text('CHANGELOG.md'),
        readme: await text('README.md'),
        // A module has no metadata but its path.
        metadata: {},
        oldest: `>=${oldest}`,
      }
    },
    'the package of Composer': async () => {
      const text = (name: string) => unzip(`souk-php-${version}.zip`, name)
      const { require, support, ...manifest } = JSON.parse(await text('composer.json'))
      const [license, changelog, readme] = await Promise.all(['LICENSE', 'CHANGELOG.md', 'README.md'].map(text))
      const metadata = { ...manifest, sources: support.source }
      return { license, changelog, readme, metadata, oldest: require['php-64bit'] } as Client
    },
    ...(hasJava && {
      'the jar': async () => {
        const file = `souk-${version}.jar`
        const text = (name: string) => unzip(file, `META-INF/${name}`)
        const pom = await text('maven/dev.souk/souk/pom.xml')
        expect(pom).toBe(await readFile(join(folder, `souk-${version}.pom`), 'utf8'))
        const value = (pattern: RegExp) => pattern.exec(pom)?.[1]
        const metadata = {
          license: value(/<license>\s*<name>(.*?)</),
          description: value(/<description>(.*?)</),
          homepage: value(/^ {2}<url>(.*?)</m),
          sources: value(/<scm>\s*<url>(.*?)</),
        }
        // Maven Central requires the developers, and both other jars.
        expect(value(/<developer>\s*<name>(.*?)</)).toMatch(/\w/)
        expect(await unzip(`souk-${version}-sources.jar`, 'dev/souk/Souk.java')).toContain('public final class Souk')
        expect(await unzip(`souk-${version}-javadoc.jar`, 'index.html')).toContain(`souk ${version}`)
        const oldest = `>=${value(/<maven\.compiler\.release>(.*?)</)}`
        return { license: await text('LICENSE'), changelog: await text('CHANGELOG.md'), readme: pom, metadata, oldest }
      },
    }),
  }
  const oldest: Record<string, string> = {}
  for (const [name, open] of Object.entries(clients)) {
    const client = await open()
    expect([name, client.license]).toEqual([name, await readFile(join(root, 'LICENSE'), 'utf8')])
    expect([name, client.changelog]).toEqual([name, await readFile(join(root, 'CHANGELOG.md'), 'utf8')])
    expect([name, client.readme]).toEqual([name, expect.stringMatching(/souk/i)])
    expect([name, relativeLinks(client.readme)]).toEqual([name, []])
    // A jar has no README.
    const guide = `](${repository}/blob/v${version}/docs/guides/command-line.md#a-fake-server-for-your-tests)`
    if (name !== 'the jar') expect(client.readme).toContain(guide)
    const expected = { license: 'Apache-2.0', description, keywords, homepage, sources: repository }
    expect([name, { ...expected, ...client.metadata }]).toEqual([name, expect.objectContaining(expected)])
    oldest[name] = client.oldest
  }
  expect(oldest).toMatchObject({
    '@souk/sdk': '>=18',
    'the wheel': '>=3.9',
    'the source archive': '>=3.9',
    'the module of Go': '>=1.19',
    'the package of Composer': '>=8.1',
    ...(hasJava && { 'the jar': '>=11' }),
  })
})
