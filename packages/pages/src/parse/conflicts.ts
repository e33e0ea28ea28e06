import type { Finding } from '../diagnostic.ts'

/** Matches the lines that Git writes around the sides of a conflict, the base of `diff3` included. */
const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$).*$/gm

type Range = { readonly offset: number; readonly end: number }

/**
 * Finds unresolved merge conflicts. `ignored` are the ranges to leave out, so that the rest reads as if the first side
 * had been chosen: the marker lines and the other sides.
 */
export function readConflicts(text: string): { readonly ignored: readonly Range[]; readonly findings: Finding[] } {
  const ignored: Range[] = []
  const findings: Finding[] = []
  /** The marker lines of the current conflict. */
  let lines: Range[] = []
  const finish = (isClosed: boolean) => {
    const other = lines.find(({ offset }) => text[offset] !== '<')
    const isComplete = isClosed && other !== undefined && text[lines[0]!.offset] === '<'
    if (isComplete) ignored.push(lines[0]!, { offset: other.offset, end: lines.at(-1)!.end })
    // Too many lines to be arguments of one call.
    for (const line of lines) {
      if (!isComplete) ignored.push(line)
      findings.push(conflictAt(text, line))
    }
    lines = []
  }
  const found = [...text.matchAll(marker)].map(({ index, 0: line }) => ({ offset: index, end: index + line.length }))
  for (const [index, line] of found.entries()) {
    const sign = text[line.offset]
    if (sign === '<' && lines.length > 0) finish(false)
    // A line of equals signs on its own may belong to a comment.
    const next = found[index + 1]
    if (sign === '=' && lines.length === 0 && (next === undefined || text[next.offset] !== '>')) continue
    lines.push(line)
    if (sign === '>') finish(true)
  }
  if (lines.length > 0) finish(false)
  return { ignored, findings }
}

const meanings: Readonly<Record<string, string>> = {
  '<': 'the first side begins below this line',
  '|': 'the common base begins below this line',
  '=': 'the second side begins below this line',
  '>': 'the second side ends above this line',
}

function conflictAt(text: string, { offset, end }: Range): Finding {
  const meaning = meanings[text[offset]!]!
  return {
    code: 'syntax-conflict',
    offset,
    length: end - offset,
    message: `Unresolved merge conflict: ${meaning}. Keep what is right of both sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>. Until then only the first side is checked.`,
  }
}
