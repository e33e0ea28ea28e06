// Packs the client for Java into the folder argv[2]: the jar, those of its sources and its documentation, its pom, and
// java.json, from which the server serves them to Maven (ADR 430). Classes need a JDK, and the libraries that the
// client uses as Debian installs them; without these, says so and writes nothing. The same sources and the same JDK
// give the same bytes.
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { filesIn, read, repository, root, shared, version, zip } from './clientPackage.mjs'

const run = promisify(execFile)
const folder = resolve(process.argv[2])
/** Libraries that Debian and Ubuntu install. */
const libraries = ['jackson-annotations', 'jackson-core', 'jackson-databind', 'spring3-core', 'spring3-web'].map(
  (name) => `/usr/share/java/${name}.jar`,
)
const packages = 'default-jdk-headless libjackson2-databind-java libspring-web-java'

if (await isInstalled()) await packJava()
else console.error(`The client for Java is not packed, because its classes need Debian's ${packages}.`)

async function isInstalled() {
  const javac = await run('javac', ['--version']).catch(() => undefined)
  return javac !== undefined && libraries.every((path) => existsSync(path))
}

async function packJava() {
  const pom = publishedPom()
  const [, group] = /<groupId>(.+?)<\/groupId>/.exec(pom)
  const [, artifact] = /<artifactId>(.+?)<\/artifactId>/.exec(pom)
  const [, release] = /<maven\.compiler\.release>(.+?)</.exec(pom)

  const sources = filesIn('sdks/java/src/main/java', ['**/*.java'])
  const { classes, documentation } = await compile(Object.keys(sources), release)
  const information = {
    'META-INF/LICENSE': shared.LICENSE,
    'META-INF/CHANGELOG.md': shared['CHANGELOG.md'],
  }
  const manifest = `Manifest-Version: 1.0\nAutomatic-Module-Name: ${group}\nImplementation-Version: ${version}\n`
  const jars = {
    '.jar': {
      'META-INF/MANIFEST.MF': Buffer.from(manifest),
      ...information,
      [`META-INF/maven/${group}/${artifact}/pom.xml`]: Buffer.from(pom),
      ...classes,
    },
    '-sources.jar': { ...information, ...sources },
    '-javadoc.jar': { ...information, ...documentation },
  }
  const top = `${artifact}-${version}`
  mkdirSync(folder, { recursive: true })
  for (const [suffix, files] of Object.entries(jars)) writeFileSync(join(folder, `${top}${suffix}`), zip(files))
  writeFileSync(join(folder, `${top}.pom`), pom)
  const files = ['.pom', ...Object.keys(jars)].map((suffix) => `${top}${suffix}`)
  writeFileSync(join(folder, 'java.json'), JSON.stringify({ group, artifact, version, files }))
}

/** Returns the pom with what Maven Central requires, and without what builds and tests the client. */
function publishedPom() {
  const pom = read('sdks/java/pom.xml').toString()
  const source = repository()
  const fields =
    source &&
    `  <url>${source.homepage}</url>\n  <scm>\n    <url>${source.url}</url>\n    <connection>scm:git:${source.url}.git</connection>\n  </scm>\n`
  return pom
    .replace(/^ {4}<dependency>(?:(?!<\/dependency>)[\s\S])*<scope>test<[\s\S]*?<\/dependency>\n/m, '')
    .replace(/^\n {2}<build>[\s\S]*?^ {2}<\/build>\n/m, '')
    .replace(/^ {2}<licenses>/m, (licenses) => `${fields ?? ''}${licenses}`)
}

/** Returns the compiled classes and their documentation. */
async function compile(sources, release) {
  const output = mkdtempSync(join(tmpdir(), 'souk-java-'))
  try {
    const paths = sources.map((path) => join(root, 'sdks/java/src/main/java', path))
    const options = ['--release', release, '-encoding', 'UTF-8', '-cp', libraries.join(':')]
    const documented = ['-quiet', '-notimestamp', '-Xdoclint:none', '-windowtitle', `souk ${version}`]
    await Promise.all([
      run('javac', [...options, '-d', join(output, 'classes'), ...paths]),
      run('javadoc', [...options, ...documented, '-d', join(output, 'documentation'), ...paths]),
    ])
    return { classes: filesOf(join(output, 'classes')), documentation: filesOf(join(output, 'documentation')) }
  } finally {
    rmSync(output, { recursive: true })
  }
}

/** Returns the contents of the files in a folder by path, sorted. */
function filesOf(base) {
  const paths = globSync('**/*', { cwd: base, withFileTypes: true }).filter((entry) => entry.isFile())
  const names = paths.map((entry) => join(entry.parentPath, entry.name).slice(base.length + 1)).sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(base, name))]))
}
