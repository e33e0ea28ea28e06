import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

// The stubs that it writes are run by addingAnOperation.test.ts and addingAProvider.test.ts.
test.each([
  ['', 'usage: npm run new -- operation'],
  ['drink tea', 'usage: npm run new -- operation'],
  ['page', 'usage: npm run new -- operation'],
  ['page Orders', '"Orders" is not the name of a page'],
  ['page ../orders', '"../orders" is not the name of a page'],
  ['page audit', 'apps/console/src/pages/audit already exists.'],
  ['provider Stripe', '"Stripe" is not the name of a provider'],
  ['provider stripe', 'The provider stripe already exists.'],
  ['provider sandbox', 'The provider sandbox already exists.'],
  ['operation moon/apps miniApps/apps countApps', 'moon is not a surface. Surfaces are open, platform, host, console.'],
  ['operation console/moon miniApps/apps countApps', 'packages/contract/src/console/moon.ts declares no operations.'],
  ['operation console/apps miniApps/moon countApps', 'apps/server/src/domain/miniApps/moon is not a domain.'],
  ['operation console/apps miniApps/apps CountApps', '"CountApps" is not the id of an operation'],
  ['operation console/apps miniApps/apps createApp', 'packages/contract/src/console/apps.ts already has an operation'],
])('npm run new -- %s is refused with a sentence, and writes nothing', async (args, sentence) => {
  const program = [join(import.meta.dirname, 'new.mjs'), ...args.split(' ').filter(Boolean)]
  await expect(promisify(execFile)(process.execPath, program, { cwd: root })).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(sentence),
  })
})

test('no stub is left', () => {
  const search = ['grep', '--untracked', '-Inw', 'TODO', '--', ':!setup/new.mjs', ':!setup/new.test.ts']
  const lines = () => execFileSync('git', search, { cwd: root, encoding: 'utf8' })
  // git exits with 1 if it finds none.
  expect(lines).toThrow(expect.objectContaining({ status: 1, stdout: '' }))
})
