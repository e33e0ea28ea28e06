// Reads the JSON reports of Vitest.
// results.mjs failed REPORT …    prints the files that failed, relative to the current folder
// results.mjs count REPORT …     counts the tests; results of a later report replace earlier ones of the same file
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [verb, ...reports] = process.argv.slice(2)
const files = new Map()
for (const report of reports) {
  if (!existsSync(report)) continue
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) files.set(file.name, file)
}
if (verb === 'failed') {
  for (const file of files.values()) if (file.status === 'failed') console.log(relative('.', file.name))
} else {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of files.values()) {
    for (const test of assertionResults) count[test.status in count ? test.status : 'skipped']++
    // A file that does not load, or whose preparation fails, has no failed test: it counts as one failure.
    if (status === 'failed' && assertionResults.every((test) => test.status !== 'failed')) count.failed++
  }
  if (count.skipped > 0) console.log(`${count.skipped} were skipped`)
  console.log(`${count.passed} passed, ${count.failed} failed`)
}
