// Everything that can be said about the code without running it: npm run check.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'

const bin = (name) => `node_modules/.bin/${name}`
// Packages with .vue files need another checker, see vueTypes.cjs.
const withVue = [
  'apps/console',
  'apps/host',
  'packages/runtime',
  'packages/tags',
  'packages/vite-plugin/src/client',
  'examples/coffee',
]
const projects = globSync('{.,packages/*,apps/*,bench,e2e,examples/*}/tsconfig{,.test}.json').filter(
  (path) => !withVue.some((folder) => path === `${folder}/tsconfig.json`),
)
const checks = [
  ['form and lint', bin('biome'), 'check', '--diagnostic-level=warn', '--error-on-warnings', '.'],
  ['import law', process.execPath, 'setup/importLaw.mjs'],
  [
    'unused and undeclared',
    process.execPath,
    '--conditions=souk-source',
    'node_modules/knip/bin/knip.js',
    '--no-progress',
  ],
  ['generated files', process.execPath, '--conditions=souk-source', 'setup/generate.mjs', '--check'],
  ['types', bin('tsc'), '--build', ...projects],
  ...withVue.map((folder) => [`types of ${folder}`, process.execPath, 'setup/vueTypes.cjs', folder]),
]

let failed = 0
for (const [name, program, ...args] of checks) {
  const output = await new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 2 ** 26 }, (error, out, err) => resolve(error ? `${out}${err}` : undefined))
  })
  console.log(`${output === undefined ? 'ok    ' : 'FAILED'} ${name}`)
  if (output === undefined) continue
  console.log(output.replace(/^/gm, '       '))
  failed += 1
}
process.exitCode = failed > 0 ? 1 : 0
