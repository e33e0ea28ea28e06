import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Failure } from './failure.ts'
import { checkServerUrl, findServerUrl } from './serverUrl.ts'

let folder: string
/** A folder of a project, below the one whose data directory is `.souk`. */
let project: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-url-'))
  project = join(folder, 'shop/pages')
  await mkdir(project, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function announce(directory: string, url: string): Promise<void> {
  await mkdir(join(folder, directory), { recursive: true })
  await writeFile(join(folder, directory, 'url'), `${url}\n`)
}

const nobody = () => Promise.reject(new Error('A question was asked.'))

test('the environment comes before the data directory', async () => {
  await announce('.souk', 'http://localhost:8080')
  const env = { SOUK_URL: ' https://souk.example.com/ ' }
  expect(await findServerUrl(env, project, nobody)).toBe('https://souk.example.com')
})

test('the nearest .souk above has the URL of its server, and the data directory of the environment comes before it', async () => {
  await announce('.souk', 'http://localhost:8080')
  expect(await findServerUrl({}, project, nobody)).toBe('http://localhost:8080')
  expect(await findServerUrl({ SOUK_URL: ' ' }, folder, nobody)).toBe('http://localhost:8080')
  await announce('shop/.souk', 'http://localhost:8081')
  expect(await findServerUrl({}, project, nobody)).toBe('http://localhost:8081')
  await announce('data', 'http://localhost:8082')
  expect(await findServerUrl({ SOUK_DATA_DIR: '../../data' }, project, nobody)).toBe('http://localhost:8082')
})

test('a .souk whose server has not started yet does not hide one above', async () => {
  await announce('.souk', 'http://localhost:8080')
  await mkdir(join(folder, 'shop/.souk'))
  expect(await findServerUrl({}, project, nobody)).toBe('http://localhost:8080')
})

test('the person at the terminal is asked for the rest', async () => {
  const questions: string[] = []
  const answer = (text: string) => async (question: string) => {
    questions.push(question)
    return text
  }
  // The data directory of the environment is meant, not any other one.
  await announce('.souk', 'http://localhost:8080')
  const env = { SOUK_DATA_DIR: join(folder, 'data') }
  expect(await findServerUrl(env, project, answer('http://localhost:9090/'))).toBe('http://localhost:9090')
  expect(questions).toEqual(['URL of Souk, such as http://localhost:7070: '])
  await expect(findServerUrl(env, project, answer(''))).rejects.toThrow('The answer is not an http or https URL')
})

test('without a terminal, the failure names the variables and where the URL was looked for', async () => {
  const failure = async (env: NodeJS.ProcessEnv) => {
    const error = await findServerUrl(env, project, undefined).catch((thrown: unknown) => thrown)
    if (!(error instanceof Failure)) throw error
    return error
  }
  const unset = await failure({})
  expect([unset.status, unset.message]).toEqual([
    2,
    `The URL of Souk is unknown: SOUK_URL is not set, and ${project} and the folders above have no .souk/url.`,
  ])
  expect(unset.advice).toMatch(/Set SOUK_URL .*SOUK_DATA_DIR/)
  const { message } = await failure({ SOUK_DATA_DIR: 'data' })
  expect(message).toContain(`SOUK_URL is not set, and ${join(project, 'data/url')} is missing.`)
})

test('a data directory cannot send the token to another machine', async () => {
  for (const url of ['https://souk.example.com', 'http://localhost.example.com', 'http://192.0.2.1:7070']) {
    await announce('.souk', url)
    await expect(findServerUrl({}, project, nobody)).rejects.toThrow(`has a URL of another machine: ${url}`)
  }
  await announce('.souk', 'http://127.0.0.1:7070')
  expect(await findServerUrl({}, project, nobody)).toBe('http://127.0.0.1:7070')
})

test('a URL is checked wherever it comes from, and its source is named', async () => {
  await announce('.souk', 'localhost:8080')
  const file = join(folder, '.souk/url')
  await expect(findServerUrl({}, project, nobody)).rejects.toThrow(`${file} is not an http or https URL`)
  expect(() => checkServerUrl('http://user:hidden@localhost', '--server')).toThrow('--server contains a user name')
})
