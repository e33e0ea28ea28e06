/** A place in a script of a release; line and column from 1. */
export interface Place {
  path: string
  line: number
  column: number
  /** The browser's name of the function; empty if it has none. */
  functionName: string
}

/** Maximum number of lines of a stack that are read. */
const maxLines = 60

/** Returns the lines of a stack, with the place that each names; null for lines without one. */
export function parseStack(stack: string): { text: string; place: Place | null }[] {
  return stack
    .split('\n')
    .slice(0, maxLines)
    .map((line) => ({ text: line.trim(), place: placeOf(line.trim()) }))
    .filter(({ text }) => text !== '')
}

/** Reads `at tap (assets/a.js:1:2)` of Chromium, and `tap@assets/a.js:1:2` of other browsers. */
function placeOf(line: string): Place | null {
  const word = line.split(/[\s()@]/).findLast((each) => /\.m?js:\d{1,9}:\d{1,9}$/.test(each))
  if (word === undefined) return null
  const [column, row, ...rest] = word.split(':').toReversed()
  const before = line.slice(0, line.lastIndexOf(word)).replace(/[(@]$/, '').trim()
  const name = before
    .replace(/^at\b/, '')
    .trim()
    .replace(/^(?:async|new) /, '')
  const [functionName = ''] = name.split(' [as ', 1)
  return { path: rest.toReversed().join(':'), line: Number(row), column: Number(column), functionName }
}
