import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forwardSignals, systemEnvironment } from './environment.ts'
import { Failure } from './failure.ts'

test.each([
  [false, ['SIGINT', 'SIGTERM']],
  [true, ['SIGTERM']],
])('a command on the server gets each signal once, with a terminal: %s', (hasTerminal, expected) => {
  const before = { SIGINT: process.listeners('SIGINT'), SIGTERM: process.listeners('SIGTERM') }
  const forwarded: unknown[] = []
  forwardSignals({ kill: (signal) => forwarded.push(signal) > 0 }, hasTerminal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const [added] = process.listeners(signal).filter((listener) => !before[signal].includes(listener))
    added!(signal)
    process.off(signal, added!)
  }
  expect(forwarded).toEqual(expected)
})

test('a pages.json that cannot be read or written is a failure with its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'souk-environment-'))
  const file = join(folder, 'pages.json')
  await writeFile(file, '{}')
  const { openProject } = systemEnvironment()
  const project = await openProject(folder)
  await rm(folder, { recursive: true })
  await expect(openProject(folder)).rejects.toBeInstanceOf(Failure)
  const written = project.write('{ "pages": [] }')
  await expect(written).rejects.toBeInstanceOf(Failure)
  await expect(written).rejects.toThrow(`${file} cannot be written`)
})
