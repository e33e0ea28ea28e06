import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutNpm } from '../../../../apps/server/test/commandLine.ts'

const root = join(import.meta.dirname, '../../../..')
let guide: string
let app: string

/** The project of the guide's reader. */
beforeAll(async () => {
  guide = await readFile(join(root, 'docs/guides/pages-json.md'), 'utf8')
  app = await mkdtemp(join(tmpdir(), 'souk-guide-'))
  for (const page of ['home', 'me']) {
    await mkdir(join(app, 'pages', page), { recursive: true })
    await writeFile(join(app, 'pages', page, `${page}.vue`), '')
  }
  await writeFile(join(app, 'pages.json'), blocks('json')[0]!)
})
afterAll(() => rm(app, { recursive: true, force: true }))

function blocks(language: string): string[] {
  return [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!)
}

/** Runs a command of the guide and returns its output. */
function type(command: string) {
  return new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const env = { ...process.env, GITHUB_WORKSPACE: undefined, INIT_CWD: undefined }
    execFile('bash', ['-euo', 'pipefail', '-c', withoutNpm(command)], { cwd: app, env }, (error, out, err) =>
      resolve({ status: error ? Number(error.code) : 0, out, err }),
    )
  })
}

test('every command of the guide works as documented', async () => {
  const commands = [...blocks('sh'), ...blocks('yaml')]
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/^- run: /, ''))
    .filter((line) => line.startsWith('npx souk'))
  expect(commands.length).toBeGreaterThan(8)
  const shown = blocks('text').map((text) => text.trimEnd())
  for (const command of commands) {
    const { status, out, err } = await type(command)
    // The second tab has no automatic fix, so it stays wrong.
    expect([command, status, err]).toEqual([command, / check\b/.test(command) ? 1 : 0, expect.any(String)])
    const plainly = out.trimEnd()
    if (/ check$/.test(command)) expect(plainly).toBe(shown.shift())
    if (command.includes(' explain ')) expect(plainly.replace(/ +/g, ' ')).toBe(shown.shift()!.replace(/ +/g, ' '))
    if (command.includes('--fix'))
      expect([plainly, err]).toEqual([expect.stringContaining('1 error.'), expect.stringContaining('Fixed 3')])
  }
  expect(shown).toEqual([])
  expect(await readFile(join(app, 'routes.d.ts'), 'utf8')).toContain('"/pages/home/home"')
  for (const name of ['pages.schema.json', 'pages.sarif']) JSON.parse(await readFile(join(app, name), 'utf8'))
})
