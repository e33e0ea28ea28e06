import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../apps/server/test/server.ts'
import { openShop, sell } from '../apps/server/test/shop.ts'
import { type CodeRequest, codeFor, codeLanguages } from '../packages/web/src/operations/index.ts'

const server = await startServer()
afterAll(() => server.stop())
const shop = await openShop(server)
const tradeNo = await sell(server, shop, 'order-0017')

const samples: [name: string, CodeRequest, answer: string][] = [
  [
    'query',
    { ...sample('pay/transactions/tradedetail', 'GET', 'query'), parameters: [['tradeNo', tradeNo]] },
    'order-0017',
  ],
  [
    'form',
    { ...sample('pay/transactions/tradeclose', 'POST', 'form'), parameters: [['tradeNo', 'f'.repeat(32)]] },
    'trade_not_found',
  ],
  ['multipart', { ...sample('file/upload', 'POST', 'multipart'), file: 'dot.png' }, '"status":200'],
  [
    'JSON',
    {
      url: `${server.url}/console/v1/setup`,
      method: 'POST',
      place: 'json',
      parameters: [],
      json: `{"'$HOME \\"\\\\茶":"a"}`,
      signed: false,
    },
    `"'$HOME \\"\\\\茶"`,
  ],
]

const programs = { curl: 'sh', Node: process.execPath, Python: 'python3', Go: 'go', PHP: 'php', Java: 'java' }
/** The program that a language needs: the shell that runs curl is everywhere. */
const needed = { ...programs, curl: 'curl' }

describe.each(codeLanguages)('copied code in %s', (language) => {
  const isInstalled = spawnSync(needed[language], ['--version']).error === undefined

  test.skipIf(!isInstalled).each(samples)(
    `sends a %s request${isInstalled ? '' : ` (needs ${needed[language]})`}`,
    async (_name, request, answer) => {
      const folder = await mkdtemp(join(tmpdir(), 'souk-code-'))
      await writeFile(
        join(folder, 'dot.png'),
        Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
          'base64',
        ),
      )
      const file = {
        curl: 'run.sh',
        Node: 'run.mjs',
        Python: 'run.py',
        Go: 'run.go',
        PHP: 'run.php',
        Java: 'Main.java',
      }[language]
      const text = codeFor(language, {
        ...request,
        parameters: [...(request.signed ? [['appid', shop.appid] as const] : []), ...request.parameters],
      })
      await writeFile(join(folder, file), text)
      const { stdout } = await promisify(execFile)(programs[language], language === 'Go' ? ['run', file] : [file], {
        cwd: folder,
        // Java reads sources in the charset of the locale. Go stores what it has compiled in the home folder.
        env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', SOUK_SECRET: shop.secret },
      })
      expect(stdout).toContain(answer)
      await rm(folder, { recursive: true })
    },
  )
})

function sample(path: string, method: string, place: CodeRequest['place']): CodeRequest {
  return { url: `${server.url}/neuopenapi/${path}`, method, place, parameters: [], signed: true }
}
