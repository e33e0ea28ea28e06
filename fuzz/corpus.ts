import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Finding } from './search.ts'

const root = join(import.meta.dirname, '..')
const folder = join(import.meta.dirname, 'corpus')

/** An input that once violated an invariant. */
export interface Regression {
  target: string
  /** The violated property, for readers. */
  violation: string
  input: unknown
}

/** Stores the input of a finding. Returns the path from the root of the repository. */
export function storeRegression({ target, where, message, input }: Finding): string {
  const violation = message.split('\n')[0]!
  const content = `${JSON.stringify({ target, violation, input } satisfies Regression, null, 2)}\n`
  const hash = createHash('sha256').update(`${where}${content}`).digest('hex').slice(0, 10)
  const file = join(folder, target, `${hash}.json`)
  mkdirSync(dirname(file), { recursive: true })
  if (!existsSync(file)) writeFileSync(file, content)
  return relative(root, file)
}

/** Reads a stored input; `path` is relative to the root of the repository. */
export function readRegression(path: string): Regression {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Regression
}

/** Returns the paths of all stored inputs. */
export function listRegressions(): string[] {
  return globSync('fuzz/corpus/**/*.json', { cwd: root }).sort()
}
