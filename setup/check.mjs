// npm run check: everything that can be verified without running the tests.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const bin = (name) => `node_modules/.bin/${name}`
// Packages with .vue files need another type checker, see vueTypes.cjs.
const withVue = [
  'apps/console',
  'apps/docs',
  'apps/docs/examples',
  'apps/host',
  'packages/host-view',
  'packages/runtime',
  'packages/shell',
  'packages/tags',
  'packages/vite-plugin/src/client',
  'examples/coffee',
  'examples/embed/vue',
]
const projects = globSync(
  '{.,packages/*,apps/*,bench,docs,e2e,fuzz,sdks,examples/*,examples/embed/*}/tsconfig{,.test}.json',
).filter((path) => !withVue.some((folder) => path === `${folder}/tsconfig.json`))
const fromSources = '--conditions=souk-source'
const checks = [
  ['format and lint', bin('biome'), 'check', '--diagnostic-level=warn', '--error-on-warnings', '.'],
  ['import law', process.execPath, 'setup/importLaw.mjs'],
  ['SQL law', process.execPath, 'setup/sqlLaw.mjs'],
  ['unused and undeclared', process.execPath, fromSources, 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['commit subjects', process.execPath, 'setup/commitSubjects.mjs'],
  ['regular expressions', process.execPath, 'setup/regexps.mjs'],
  ['comment width', process.execPath, 'setup/commentWidth.mjs'],
  ['generated files', process.execPath, fromSources, 'setup/generate.mjs', '--check'],
  ['types', bin('tsc'), '--build', ...projects],
  ['packed packages', process.execPath, 'setup/lintPackages.mjs'],
  ...withVue.map((folder) => [`types of ${folder}`, process.execPath, 'setup/vueTypes.cjs', folder]),
]

let failed = 0
/** Runs checks one after the other, until none waits. */
async function runChecks() {
  for (let check = checks.shift(); check; check = checks.shift()) {
    const [name, program, ...args] = check
    const { failure, output } = await new Promise((resolve) => {
      execFile(program, args, { maxBuffer: 2 ** 26 }, (failure, out, err) =>
        resolve({ failure, output: `${out}${err}` }),
      )
    })
    if (!failure) {
      const skipped = /^skipped: (.*)/.exec(output)
      console.log(skipped ? `skipped ${name}: ${skipped[1]}` : `ok     ${name}`)
      continue
    }
    console.log(`FAILED ${name}`)
    console.log(output.replace(/^/gm, '       '))
    failed += 1
  }
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, runChecks))
process.exitCode = failed > 0 ? 1 : 0
