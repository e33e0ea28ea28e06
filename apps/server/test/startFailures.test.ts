import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startServer } from './server.ts'

/** Starts a server that fails, and returns what it printed last. */
async function lastLineOf(env: Record<string, string>): Promise<string> {
  const failure: Error = await startServer({ env, isBundled: false }).then(
    () => new Error('the server has started'),
    (error: Error) => error,
  )
  return failure.message.trim().split('\n').at(-1)!
}

test.each([
  [{ HOST: '192.0.2.1' }, 'This machine does not have the address 192.0.2.1. Set HOST to one of its addresses, or'],
  [{ HOST: 'nowhere.invalid' }, 'This machine does not have the address nowhere.invalid. Set HOST to'],
  [
    { SOUK_DATA_DIR: fileURLToPath(import.meta.url) },
    `The data directory ${fileURLToPath(import.meta.url)} cannot be used: EEXIST`,
  ],
  [{ SOUK_PRIVATE_HOSTS: 'pay.example:80' }, 'SOUK_PRIVATE_HOSTS contains "pay.example:80"'],
])('a server with %o says what to correct instead of printing a stack', async (env, message) => {
  const line = await lastLineOf(env)
  expect(line.slice(0, message.length)).toBe(message)
})
