// Writes what Maven Central takes, from the folder of a release argv[2] into the file argv[3]: the pom and the jars of
// the client for Java, signed with the default key of gpg, with their checksums, in the layout of a repository.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { zip } from './clientPackage.mjs'

const [release, bundle] = process.argv.slice(2).map((path) => resolve(path))
const names = readdirSync(release).filter((name) => /^souk-.*\.(?:jar|pom)$/.test(name))
const pom = names.find((name) => name.endsWith('.pom'))
if (!pom) throw new Error(`${release} has no client for Java: it was built without a JDK.`)

const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map(
  (name) => new RegExp(`<${name}>(.+?)<`).exec(readFileSync(join(release, pom), 'utf8'))[1],
)
const folder = `${group.replaceAll('.', '/')}/${artifact}/${version}`
const signatures = mkdtempSync(join(tmpdir(), 'souk-signatures-'))
try {
  const files = {}
  for (const name of names) {
    const content = readFileSync(join(release, name))
    const signature = join(signatures, `${name}.asc`)
    const sign = ['--batch', '--armor', '--detach-sign', '--output', signature, join(release, name)]
    execFileSync('gpg', sign, { stdio: ['ignore', 'ignore', 'inherit'] })
    files[`${folder}/${name}`] = content
    files[`${folder}/${name}.asc`] = readFileSync(signature)
    for (const algorithm of ['md5', 'sha1']) {
      files[`${folder}/${name}.${algorithm}`] = Buffer.from(createHash(algorithm).update(content).digest('hex'))
    }
  }
  writeFileSync(bundle, zip(files))
} finally {
  rmSync(signatures, { recursive: true })
}
