import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { check, readPages } from '@souk/pages'
import { openProject } from '@souk/project'
import { release } from '@souk/vite-plugin'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { create, Refusal } from './create.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-create-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('what it makes has nothing to complain of, and builds for every platform', async () => {
  const project = await create(join(folder, 'My App'))
  expect(JSON.parse(await readFile(join(project, 'package.json'), 'utf8')).name).toBe('my-app')
  expect(await readFile(join(project, '.gitignore'), 'utf8')).toContain('node_modules')
  const { text, files } = await openProject(project)
  expect(check(readPages(text), { files })).toEqual([])
  for (const platform of ['H5', 'App', 'Mini App'] as const) {
    const { files: made } = await release({ project, platform })
    expect(made.map(({ path }) => path)).toContain('static/home.png')
  }
})

test('an empty folder is taken, also one that git knows', async () => {
  await mkdir(join(folder, 'a/.git'), { recursive: true })
  expect(await readdir(await create(join(folder, 'a')))).toContain('pages.json')
})

test('what is there already stays as it is', async () => {
  await mkdir(join(folder, 'a'))
  await writeFile(join(folder, 'a/notes.txt'), '')
  await writeFile(join(folder, 'file'), '')
  await expect(create(join(folder, 'a'))).rejects.toThrow('is not empty')
  await expect(create(join(folder, 'file'))).rejects.toThrow('is a file')
  await expect(create(join(folder, '中'))).rejects.toBeInstanceOf(Refusal)
  expect(await readdir(join(folder, 'a'))).toEqual(['notes.txt'])
})

test('as a command it tells how to go on, or why not', async () => {
  const main = join(import.meta.dirname, 'main.ts')
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [main, ...args], { cwd: folder }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }) => ({ code, text: stderr as string }),
    )
  expect(await run('new-app')).toMatchObject({ code: 0, text: expect.stringContaining('cd new-app') })
  expect(await run('new-app')).toMatchObject({ code: 1, text: expect.stringContaining('new-app is not empty') })
  expect(await run()).toMatchObject({ code: 2, text: expect.stringContaining('npm create souk-miniapp <folder>') })
})
