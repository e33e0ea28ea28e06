import type { Environment } from '../environment.ts'

/**
 * Creates the function that lets calls and requests wait for their turn: the next one goes on with each line of
 * standard input, and all others after the line `a`, or at its end.
 */
export function createTurns(
  { readLines, err }: Environment,
  interrupted: AbortSignal,
): (what: string) => Promise<void> {
  const waiting: { what: string; goOn(): void }[] = []
  let isFree = false
  const say = () => {
    const [first] = waiting
    if (first) err(`… ${first.what} waits. Enter answers it, a and Enter answers all.\n`)
  }
  const free = () => {
    isFree = true
    for (const { goOn } of waiting.splice(0)) goOn()
  }
  const read = async () => {
    for await (const line of readLines('-', interrupted)) {
      if (line.trim().toLowerCase() === 'a') break
      waiting.shift()?.goOn()
      say()
    }
  }
  // At the end of standard input, or without it, all go on.
  void read().then(free, free)
  return (what) => {
    if (isFree) return Promise.resolve()
    return new Promise((goOn) => {
      waiting.push({ what, goOn })
      if (waiting.length === 1) say()
    })
  }
}
