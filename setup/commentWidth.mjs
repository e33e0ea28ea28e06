// Checks that no comment line in a tracked source file is wider than 120 columns. The formatter wraps code only.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const maxColumns = 120
/** Generated files, and migrations, which never change: the database records their SHA-256. */
const exempt = [
  /^apps\/server\/migrations\//,
  /\.generated\.ts$/,
  /^packages\/design\/src\/tokens\.css$/,
  /^packages\/[^/]+\/template\/routes\.d\.ts$/,
]
const comment = /^\s*(\/\/|\/\*|\*)/
const commentByType = {
  ts: comment,
  mjs: comment,
  cjs: comment,
  css: comment,
  vue: /^\s*(\/\/|\/\*|\*|<!--)/,
  sql: /^\s*--/,
  py: /^\s*#/,
}

/** Returns the numbers of the lines, from 1, that are comments wider than 120 columns. */
export function findWideComments(file, text) {
  const pattern = commentByType[file.split('.').at(-1)]
  if (!pattern || exempt.some((it) => it.test(file))) return []
  return text
    .split('\n')
    .flatMap((line, index) => ([...line].length > maxColumns && pattern.test(line) ? index + 1 : []))
}

if (process.argv[1] === import.meta.filename) main()

function main() {
  for (const file of listTrackedFiles()) {
    for (const line of findWideComments(file, readFileSync(file, 'utf8'))) {
      console.log(`${file}:${line}: the comment is wider than ${maxColumns} columns`)
      process.exitCode = 1
    }
  }
}

function listTrackedFiles() {
  try {
    const patterns = Object.keys(commentByType).map((type) => `*.${type}`)
    return execFileSync('git', ['ls-files', '-z', '--', ...patterns], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\0')
      .filter((file) => file && existsSync(file))
  } catch {
    console.log('skipped: not a git repository')
    return []
  }
}
