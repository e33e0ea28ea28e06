import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { archiveOf, build } from '../archive.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

/** A project with a mini app and an editor. */
interface Project {
  appid: string
  editor: ConsoleUser
}

let souk: TestSouk
let one: Project
let other: Project
/** Takes about a second to unpack. */
let large: Buffer
let small: Buffer
/** Where uploads are stored until they are unpacked. */
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-lanes-'))
  vi.stubEnv('TMPDIR', folder)
  souk = await startTestSouk()
  const createProject = async (name: string): Promise<Project> => {
    const { projectId } = (await souk.console('POST', '/console/v1/projects', { name })).body
    const { appid } = (await souk.console('POST', '/console/v1/apps', { name, projectId })).body
    return { appid, editor: await souk.join(projectId, 'editor') }
  }
  one = await createProject('One')
  other = await createProject('Other')
  small = await archiveOf(build())
  large = await archiveOf(build('Mini App', { 'static/a.txt': randomBytes(4 * 1024 * 1024).toString('hex') }))
})
afterAll(async () => {
  await souk.stop()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

let versions = 0

function formOf(archive: Buffer): FormData {
  const form = new FormData()
  form.append('version', `1.0.${versions++}`)
  form.append('fileData', new Blob([new Uint8Array(archive)]), 'release.tar.gz')
  return form
}

const headersOf = ({ editor }: Project) => ({ Cookie: editor.cookie, 'X-Souk-CSRF': editor.csrf })
const urlOf = ({ appid }: Project) => `${souk.url}/console/v1/apps/${appid}/releases`

const upload = async (project: Project, archive: Buffer, signal?: AbortSignal) =>
  fetch(urlOf(project), {
    method: 'POST',
    headers: headersOf(project),
    body: formOf(archive),
    ...(signal && { signal }),
  })

const countTemporary = async () => (await readdir(folder)).length
const countReleases = async ({ appid }: Project) =>
  (await souk.context.sql`select from releases where appid = ${appid}`).length

/** Begins an upload, and does not send its body. */
async function beginUpload(project: Project): Promise<Socket> {
  const { hostname, port } = new URL(souk.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const headers = { ...headersOf(project), Host: 'localhost', 'Content-Type': 'multipart/form-data; boundary=x' }
  const lines = Object.entries({ ...headers, 'Content-Length': '1000' }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${new URL(urlOf(project)).pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n--x\r\n`)
  return socket
}

test('an upload does not wait for those of another project', async () => {
  const ended: string[] = []
  const waiting = [1, 2, 3].map((number) => upload(one, large).then(() => ended.push(`one ${number}`)))
  await expect.poll(() => ended.length).toBe(1)
  expect((await upload(other, small)).status).toBe(200)
  ended.push('other')
  await Promise.all(waiting)
  expect(ended.indexOf('other')).toBeLessThan(3)
})

test('uploads whose client has left are dropped, and count no longer', async () => {
  const before = await countReleases(one)
  const leaving = new AbortController()
  const uploads = Promise.allSettled([1, 2, 3, 4].map(() => upload(one, large, leaving.signal)))
  await expect.poll(() => countReleases(one)).toBe(before + 1)
  leaving.abort()
  await uploads
  await expect.poll(countTemporary).toBe(0)
  // Behind the others in the lane.
  expect((await upload(one, small)).status).toBe(200)
  expect(await countReleases(one)).toBeLessThan(before + 4)
})

test('a caller with too many uploads is refused before the body is read, and others are not', async () => {
  const sockets = await Promise.all([1, 2, 3, 4].map(() => beginUpload(one)))
  await expect.poll(countTemporary).toBe(4)
  const refused = await upload(one, small)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  const { detail } = (await refused.json()) as { detail: string }
  expect(detail).toContain('4 of your uploads are in progress; try again when one has ended.')
  expect((await upload(other, small)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(countTemporary).toBe(0)
  expect((await upload(one, small)).status).toBe(200)
})
