// Long fuzz run: node --conditions=souk-source packages/pages/fuzz.ts [inputs] [seed]
//
// Mutates the sample files. Exits with 1 and writes the offending text to a file if an invariant is violated or
// a text takes more than half a second of CPU time. Every hundredth input goes through all examinations.
import { readFileSync, writeFileSync } from 'node:fs'
import { corpora, largeFile } from './test/corpus.ts'
import { examine, invent, mutate, random } from './test/fuzzing.ts'

const inputs = Number(process.argv[2] ?? 10_000_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)

const sources = [
  readFileSync(new URL('./test/fixtures/everything.jsonc', import.meta.url), 'utf8'),
  ...corpora.flatMap(({ files }) => files.map(({ text }) => text)),
  largeFile(),
]

const next = random(seed)
const start = performance.now()
let characters = 0
let slowest = 0
console.log(`${inputs} inputs from ${sources.length} files, seed ${seed}`)
for (let count = 1; count <= inputs; count += 1) {
  const text =
    count % 5 === 0
      ? invent(next)
      : mutate(excerpt(sources[next(sources.length)]!), sources[next(sources.length)]!, next)
  characters += text.length
  const before = performance.now()
  try {
    examine(text, next, count % 100 === 0)
    // A busy machine slows down one input, but not the same one twice; CPU time decides.
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
      `${count} inputs, ${(characters / 1e6).toFixed(0)} MB, ${seconds.toFixed(0)} s, slowest ${slowest.toFixed(0)} ms`,
    )
  }
}

function examineTime(text: string): void {
  const start = process.cpuUsage()
  examine(text, random(0), true)
  const { user, system } = process.cpuUsage(start)
  if (user + system > 500_000) throw new Error(`The text takes ${Math.round((user + system) / 1000)} ms of CPU time`)
}

/** Returns a random part of a text. Most bugs need little context, and short inputs run faster. */
function excerpt(text: string): string {
  const length = 20 + next(next(10) === 0 ? 3000 : 300)
  const from = next(Math.max(1, text.length - length))
  return text.slice(from, from + length)
}
