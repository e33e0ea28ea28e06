// npm run generate: writes all generated files that are committed. With --check, lists those that are out of date.
// A generator is a module whose default export returns (a promise of) { path from the root: text }.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

const generators = [
  'apps/docs/generate.ts',
  'packages/contract/generate.ts',
  'packages/design/generate.ts',
  'packages/host/generate.ts',
  'packages/pages/generate.ts',
  'packages/runtime/generate.ts',
  'packages/vite-plugin/generate.ts',
  'sdks/generate.ts',
  'apps/server/src/kernel/db/generate.ts',
  'setup/domainDiagram.mjs',
]

const checkOnly = process.argv.includes('--check')
const results = []
let stale = 0
// The contract imports what is generated of the providers.
for (const paths of [['setup/providers.mjs'], generators]) {
  const generated = await Promise.allSettled(
    paths.map(async (path) => (await import(pathToFileURL(path).href)).default()),
  )
  results.push(...generated)
  for (const [path, text] of generated.flatMap(({ value = {} }) => Object.entries(value))) {
    if ((await readFile(path, 'utf8').catch(() => '')) === text) continue
    stale += 1
    console.log(checkOnly ? `${path} is out of date: run npm run generate` : `wrote ${path}`)
    if (checkOnly) continue
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
// A generator throws an AggregateError for everything that is missing in its sources.
const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason)
for (const failure of failures) {
  if (failure instanceof AggregateError) for (const { message } of failure.errors) console.error(message)
  else console.error(failure)
}
process.exitCode = failures.length > 0 || (checkOnly && stale > 0) ? 1 : 0
