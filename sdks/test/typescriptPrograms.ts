// Runs the programs of this folder in one process, for the tests of all clients: a JSON object per line with the name
// of a program, answered by one per line with what it prints.

import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const answer = console.log

for await (const line of createInterface(process.stdin)) {
  const { call } = JSON.parse(line) as { call: string }
  let result = ''
  console.log = (...printed: unknown[]) => {
    result += `${format(...printed)}\n`
  }
  try {
    await import(pathToFileURL(join(process.cwd(), `${call}.mts`)).href)
    answer(JSON.stringify({ result }))
  } catch (error) {
    answer(JSON.stringify({ error: { message: format(error) } }))
  }
}
