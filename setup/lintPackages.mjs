// Checks the output of `npm pack` for the packages of developers: publint reads manifests and files, and
// arethetypeswrong resolves every entry as TypeScript does in the projects of others.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** ESM only: these ways of resolving do not read `exports`, or are those of CommonJS. */
const ignoredResolutions = ['node10', 'node16-cjs']
/** Sources in Vue's syntax, which the tools of Vue read (ADR 138), and a plug-in that only they load. */
const entriesOfVue = /^@souk\/(host-view|runtime|shell|tags)$|^\.\/volar$/

const packing = [join(import.meta.dirname, 'packPackages.mjs'), 'node_modules/.cache/souk-packages', '--cache']
const folder = execFileSync(process.execPath, packing, { encoding: 'utf8' }).trim()
const faults = []
for (const { file, manifest } of JSON.parse(readFileSync(join(folder, 'packages.json'), 'utf8'))) {
  const tarball = readFileSync(join(folder, file))
  const content = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: content }, strict: true })
  faults.push(...messages.map((message) => `${manifest.name}: ${formatMessage(message, pkg, { color: false })}`))
  if (!manifest.exports || entriesOfVue.test(manifest.name)) continue
  const { types, problems } = await checkPackage(createPackageFromTarballData(tarball))
  if (!types) faults.push(`${manifest.name}: there are no types`)
  for (const { kind, ...where } of problems ?? []) {
    if (ignoredResolutions.includes(where.resolutionKind) || entriesOfVue.test(where.entrypoint)) continue
    faults.push(`${manifest.name}: ${kind} ${JSON.stringify(where)}`)
  }
}
for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0
