import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutNpm } from '../../../apps/server/test/commandLine.ts'

const root = join(import.meta.dirname, '../../..')
let guide: string
let above: string
let app: string
const souk = createServer((request, response) => response.end(JSON.stringify(request.url)))

beforeAll(async () => {
  const pages = ['docs/guides/mini-apps.md', 'docs/guides/login-and-payment.md', 'docs/guides/pages-and-tags.md']
  guide = (await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')))).join('\n')
  above = await mkdtemp(join(tmpdir(), 'souk-mini-apps-guide-'))
  app = join(above, 'my-app')
  await new Promise<void>((done) => souk.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  souk.close()
  await rm(above, { recursive: true, force: true })
})

const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!)

/** Runs in the folder of the mini app. */
const options = () => ({ cwd: app, env: { ...process.env, NO_COLOR: '1', INIT_CWD: undefined } })

/** Runs a command of the guide and returns its output. */
function type(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', withoutNpm(command)], options(), (error, out, err) =>
      error ? reject(new Error(`${command}\n${err}`, { cause: error })) : resolve(out),
    )
  })
}

/** Returns the result of `look` at the address that a command serves until it is interrupted. */
async function whileServed<R>(command: string, look: (url: string) => Promise<R>): Promise<R> {
  const child = spawn('bash', ['-c', `exec ${withoutNpm(command)}`], { ...options(), detached: true })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let printed = ''
      const read = (chunk: Buffer) => {
        printed += chunk
        const found = /http:\/\/localhost:\d+\S*/.exec(printed)
        if (found) resolve(found[0])
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      void ended.then(() => reject(new Error(`${command}\n${printed}`)))
    })
    return await look(url)
  } finally {
    process.kill(-child.pid!, 'SIGINT')
    await ended
  }
}

/** Creates the project, as npm create does, and applies the code of the guide to it. */
async function createProject(): Promise<void> {
  const create = join(root, 'packages/create-miniapp/src/main.ts')
  execFileSync(process.execPath, [...process.execArgv, create, app, '--registry', 'http://localhost:7070/npm/'])
  const [page] = blocks('vue')
  const [subPackages] = blocks('json')
  await writeFile(join(app, 'pages/list/list.vue'), page!)
  const file = join(app, 'pages.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"tabBar"', `${subPackages!.trim()},\n  "tabBar"`))
  for (const path of ['shop/basket/basket.vue', 'shop/paid/paid.vue']) {
    await mkdir(dirname(join(app, path)), { recursive: true })
    await writeFile(join(app, path), '<template><view>shop</view></template>\n')
  }
}

test('every command of the guides works as documented', async () => {
  const commands = blocks('sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => /^npx souk /.test(line))
  const platforms: string[] = []
  const served: string[] = []
  await createProject()
  for (const command of commands) {
    const platform = /--platform "?([\w ]*\w)/.exec(command)?.[1] ?? 'App'
    if (command.includes(' dev ')) {
      const { port } = souk.address() as AddressInfo
      const here = command.replace('http://localhost:7070', `http://127.0.0.1:${port}`)
      await whileServed(here, async (url) => {
        expect(new URL(url).pathname).toBe(platform === 'H5' ? '/' : '/__souk/device')
        const page = await fetch(url)
        expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script type="module"')])
        const forwarded = await fetch(new URL('/__souk/server/host/v1/apps', url))
        if (command.includes('--server')) expect(await forwarded.json()).toBe('/host/v1/apps')
      })
      served.push(command)
    } else {
      expect(await type(command)).toContain(platform)
      platforms.push(platform)
    }
  }
  expect(platforms).toEqual(['App', 'H5', 'Mini App'])
  expect(served).toEqual([
    'npx souk dev --platform H5',
    'npx souk dev --platform "Mini App" --os iOS',
    'npx souk dev --server http://localhost:7070',
  ])
  for (const folder of ['h5', 'app', 'mini-app']) {
    expect(await readdir(join(app, 'dist', folder))).toEqual(
      expect.arrayContaining(['assets', 'index.html', 'souk-app.json', 'static']),
    )
    const shop = (await readdir(join(app, 'dist', folder, 'assets'))).filter((name) => /^shop.*\.js$/.test(name))
    expect(shop).toHaveLength(1)
  }
})
