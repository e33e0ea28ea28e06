import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { maxFileSize } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { messageContext, newMiniApp } from '../../../../test/recipients.ts'
import { newId } from '../../../kernel/id.ts'
import type { AppCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import { readFile, uploadFile } from './index.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const images = {
  'image/png': [png, 'png'],
  'image/jpeg': [Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'), 'jpg'],
  'image/gif': [Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'), 'gif'],
  'image/webp': [Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'), 'webp'],
} as const

let database: FreshDatabase
let context: FullContext
let request: () => AppCaller

beforeAll(async () => {
  database = await freshDatabase()
  context = messageContext(database.sql)
  request = await newMiniApp(database.sql)
})
afterAll(() => database.drop())

const fileIdOf = (url: string) => /^http:\/\/souk\.test\/files\/([0-9a-f]{32})\.[a-z]+$/.exec(url)![1]!

test.each(Object.entries(images))('stores and returns %s unchanged', async (mediaType, [content, extension]) => {
  const { url } = await uploadFile(context, request(), { content })
  expect(url.endsWith(`.${extension}`)).toBe(true)
  expect(await readFile(context, fileIdOf(url))).toEqual({ mediaType, size: content.length, content })
})

test.each([
  ['nothing', ''],
  ['plain text', 'image/png'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['PDF', '%PDF-1.7'],
  ['sound in the same container as WebP', 'RIFF\x00\x00\x00\x00WAVEfmt '],
  ['an image behind something else', 'ID3\x89PNG\r\n\x1a\n'],
  ['the beginning of a signature', '\x89PNG'],
])('determines the type by the content: rejects %s', async (_what, text) => {
  await expect(uploadFile(context, request(), { content: Buffer.from(text, 'latin1') })).rejects.toMatchObject({
    code: 'file_unsupported',
  })
})

test('accepts 2 MB and rejects one byte more', async () => {
  const content = Buffer.alloc(maxFileSize + 1)
  png.copy(content)
  await expect(uploadFile(context, request(), { content })).rejects.toMatchObject({ code: 'file_too_large' })
  const { url } = await uploadFile(context, request(), { content: content.subarray(0, maxFileSize) })
  const { content: stored } = await readFile(context, fileIdOf(url))
  expect((await buffer(stored as Readable)).equals(content.subarray(0, maxFileSize))).toBe(true)
})

test('gives the same content one URL per mini app', async () => {
  const other = await newMiniApp(database.sql)
  const uploads = [request(), request(), other()].map((caller) => uploadFile(context, caller, { content: png }))
  const [first, again, foreign] = await Promise.all(uploads)
  expect(again).toEqual(first)
  expect(foreign).not.toEqual(first)
})

test('stores one file per signed request, even if it is repeated', async () => {
  const same = request()
  const [jpeg] = images['image/jpeg']
  const { url } = await uploadFile(context, same, { content: png })
  expect(await uploadFile(context, same, { content: png })).toEqual({ url })
  await expect(uploadFile(context, same, { content: jpeg })).rejects.toMatchObject({ code: 'sign_reused' })
  const { url: own } = await uploadFile(context, request(), { content: jpeg })
  expect(own).not.toBe(url)
})

test.each([newId(), 'x', '', '../etc/passwd'])('rejects the unknown fileId %j', async (fileId) => {
  await expect(readFile(context, fileId)).rejects.toMatchObject({ code: 'file_not_found' })
})
