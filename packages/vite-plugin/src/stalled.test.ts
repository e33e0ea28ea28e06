import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Waits for a promise in a process of its own, since that of the tests always has work. Returns what it prints. */
async function outcomeOf(promise: string): Promise<string> {
  const script = `
    import { unlessStalled } from ${JSON.stringify(join(import.meta.dirname, 'stalled.ts'))}
    console.log(await unlessStalled(${promise}, 'vite.config.ts', 1).catch(({ name, message }) => name + ': ' + message))`
  const { stdout } = await run(process.execPath, ['--conditions=souk-source', '--input-type=module', '-e', script])
  return stdout
}

test('a promise that nothing can settle ends the build with an error', async () => {
  expect(await outcomeOf('new Promise(() => {})')).toMatch(/^ConfigError: .*vite\.config\.ts or of one of its plug-ins/)
})

test('a build may wait for a timer, and for another process', async () => {
  const waiting = `new Promise((done) => setTimeout(done, 3000, 'built'))`
  expect(await outcomeOf(waiting)).toBe('built\n')
  const child = `import('node:child_process').then(({ spawn }) =>
    new Promise((done) => spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3000)']).on('exit', () => done('built'))))`
  expect(await outcomeOf(child)).toBe('built\n')
})
