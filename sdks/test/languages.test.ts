import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compiledJava, languages } from './languages.ts'

let folder: string
const outputs = () => readdirSync(join(folder, 'java/target'))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-languages-'))
  await mkdir(join(folder, 'java/src'), { recursive: true })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  await writeSource('Tea')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const writeSource = (name: string) => writeFile(join(folder, 'java/src', `${name}.java`), `class ${name} {}`)

/** Replaces the compiler by commands, which start in the folder `java` and have the compiler's arguments. */
async function writeCompiler(...commands: string[]): Promise<void> {
  await writeFile(join(folder, 'javac'), ['#!/bin/sh', ...commands].join('\n'))
  await chmod(join(folder, 'javac'), 0o755)
}

test('Java is compiled once, and again when sources change', async () => {
  await writeCompiler('echo class > "$4/Tea.class"')
  const classes = compiledJava(join(folder, 'java'))
  expect(readdirSync(classes)).toEqual(['Tea.class'])
  await writeCompiler('exit 1')
  expect(compiledJava(join(folder, 'java'))).toBe(classes)
  await writeCompiler('echo class > "$4/Cake.class"')
  await writeSource('Cake')
  expect(compiledJava(join(folder, 'java'))).not.toBe(classes)
})

test('no other process finds the classes before all are written', async () => {
  await writeCompiler('echo class > "$4/Tea.class"', 'ls target > found')
  const classes = compiledJava(join(folder, 'java'))
  expect(await readFile(join(folder, 'java/found'), 'utf8')).toMatch(/^incomplete-\w+\n$/)
  expect(outputs()).toEqual([basename(classes)])
})

test('a failed compilation leaves no classes behind', async () => {
  await writeCompiler('echo half > "$4/Tea.class"', 'exit 1')
  expect(() => compiledJava(join(folder, 'java'))).toThrow('javac')
  expect(outputs()).toEqual([])
})

test('uses the classes of a process that has finished first', async () => {
  await writeCompiler('echo class > "$4/Tea.class"')
  const classes = compiledJava(join(folder, 'java'))
  await rm(classes, { recursive: true })
  await writeCompiler(`mkdir ${classes}`, `echo first > ${classes}/Tea.class`, 'echo class > "$4/Tea.class"')
  expect(compiledJava(join(folder, 'java'))).toBe(classes)
  expect(readFileSync(join(classes, 'Tea.class'), 'utf8')).toBe('first\n')
  expect(outputs()).toHaveLength(1)
})

test.each(['../packages/sdk', ...languages.map(({ folder }) => folder)])(
  'the README in %s has the same sections as the others, in the same order',
  (folder) => {
    const readme = readFileSync(join(import.meta.dirname, '..', folder, 'README.md'), 'utf8')
    const headings = [...readme.replace(/^```.*?^```$/gms, '').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    // Python has two kinds of functions, and npm does not publish tests.
    expect(headings.filter((heading) => heading !== 'asyncio' && heading !== 'Tests of the client')).toEqual([
      'A first payment',
      'Payment results',
      'Operations',
      'Retries',
      'Options of a call',
      'Proxies and certificates',
      'Logs and traces',
      'Several clients and processes',
      'Errors',
      'The platform data API',
      'Complete backends',
      'Tests of your backend',
    ])
  },
)
