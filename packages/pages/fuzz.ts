// The long fuzz run: node --conditions=souk-source packages/pages/fuzz.ts [inputs] [seed]. Mutates the fixtures and, where they are at
// hand, real files; ends with 1 and the offending text where a promise is broken, or where a text takes more than half a second of the provider.
// Every hundredth input is examined in full.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { examine, invent, mutate, random } from './test/fuzzing.ts'

const inputs = Number(process.argv[2] ?? 10_000_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)

const fixtures = new URL('./test/fixtures/', import.meta.url)
const corpus = new URL('../../../shared/corpus/', import.meta.url)
const sources = [fixtures, corpus]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.jsonc?$/.test(name))
      .map((name) => readFileSync(new URL(encodeURIComponent(name), folder), 'utf8')),
  )

const next = random(seed)
const start = performance.now()
let letters = 0
let slowest = 0
console.log(`${inputs} inputs from ${sources.length} files, seed ${seed}`)
for (let count = 1; count <= inputs; count += 1) {
  const text =
    count % 5 === 0
      ? invent(next)
      : mutate(stretch(sources[next(sources.length)]!), sources[next(sources.length)]!, next)
  letters += text.length
  const before = performance.now()
  try {
    examine(text, next, count % 100 === 0)
    // Other work on the machine makes one input slow, not the same one twice.
    if (performance.now() - before > 500) examineTime(text)
  } catch (error) {
    writeFileSync(`fuzz-failure-${seed}.json`, text)
    console.error(`input ${count}, seed ${seed}: the text is in fuzz-failure-${seed}.json`)
    throw error
  }
  slowest = Math.max(slowest, performance.now() - before)
  if (count % 100_000 === 0 || count === inputs) {
    const seconds = (performance.now() - start) / 1000
    console.log(
      `${count} inputs, ${(letters / 1e6).toFixed(0)} MB, ${seconds.toFixed(0)} s, slowest ${slowest.toFixed(0)} ms`,
    )
  }
}

function examineTime(text: string): void {
  const start = process.cpuUsage()
  examine(text, random(0), true)
  const { user, system } = process.cpuUsage(start)
  if (user + system > 500_000) throw new Error(`it takes ${Math.round((user + system) / 1000)} ms`)
}

/** A stretch of a file: most faults need little around them, and short texts are many. */
function stretch(text: string): string {
  const length = 20 + next(next(10) === 0 ? 3000 : 300)
  const from = next(Math.max(1, text.length - length))
  return text.slice(from, from + length)
}
