// Checks that the subjects of new commits are at most 72 characters and more than one word.
import { execFileSync } from 'node:child_process'

/** The last commit before this check was introduced. It and its ancestors are exempt. */
const lastExempt = 'a3d4ea1ca34cdf920af53fd2068bc6dd02c07455'
const maxLength = 72

/** Returns the subjects that are too long, or a single word, which cannot say what a commit does. */
export function findUnclearSubjects(subjects) {
  return subjects.filter((subject) => [...subject].length > maxLength || !subject.includes(' '))
}

if (process.argv[1] === import.meta.filename) main()

function main() {
  const shallow = git('rev-parse', '--is-shallow-repository')
  if (shallow === undefined) return console.log('skipped: not a git repository')
  if (shallow === 'true') return console.log('skipped: the clone is shallow')
  const subjects = git('log', '--format=%s', `${lastExempt}..HEAD`)
  if (subjects === undefined) return console.log(`skipped: commit ${lastExempt} is not in this repository`)

  for (const subject of findUnclearSubjects(subjects.split('\n').filter(Boolean))) {
    console.log(`The subject has more than ${maxLength} characters, or a single word: ${subject}`)
    process.exitCode = 1
  }
}

/** Returns the output of git, or undefined if it fails or is not installed. */
function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
