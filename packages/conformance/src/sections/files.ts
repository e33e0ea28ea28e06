import assert from 'node:assert/strict'
import { type Check, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { expectError, expectFields, expectSuccess, isText } from '../expect.ts'
import { png } from '../requests.ts'
import { operations } from '../wire.ts'
import { activity } from './activities.ts'

const check = topic('file')
const largest = 2 * 1024 * 1024

const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])

function upload(
  app: MiniApp,
  content: Uint8Array<ArrayBuffer>,
  type = 'image/png',
  part = 'fileData',
  name = 'icon.png',
) {
  const body = new FormData()
  for (const [key, value] of app.sign({})) body.append(key, value)
  body.append(part, new Blob([content], { type }), name)
  return app.context.raw({ method: 'POST', target: operations.fileUpload.path, body })
}

/** File upload (open-api §4.1). The specification names no operation for it; the path is Souk's. */
export const files: Check[] = [
  check(
    'upload',
    '4.1',
    'an image is stored and served at the returned URL; its part is not signed',
    async (context) => {
      const app = await context.app()
      const response = expectSuccess(await upload(app, png))
      expectFields(response, { url: isText })
      const { url } = response as { url: string }
      const served = await fetch(new URL(new URL(url).pathname, context.url))
      assert.equal(served.status, 200)
      assert.equal(served.headers.get('content-type'), 'image/png')
      assert.deepEqual(Buffer.from(await served.arrayBuffer()), png)
      expectSuccess(await app.call('sendActivity', activity(app, { iconUrl: url })))
    },
  ),
  check(
    'type-by-content',
    '4.1',
    'the type is detected from the content, not from the name or the declared type',
    async (context) => {
      const app = await context.app()
      const { url } = expectSuccess(await upload(app, png, 'text/html', 'fileData', 'page.html')) as { url: string }
      const served = await fetch(new URL(new URL(url).pathname, context.url))
      assert.equal(served.headers.get('content-type'), 'image/png')
      for (const content of [
        '<html><script>alert(1)</script></html>',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '%PDF-1.7',
        '',
      ]) {
        expectError(await upload(app, Buffer.from(content)), { status: 415, code: 'file_unsupported' })
      }
    },
  ),
  check('missing', '4.1', 'a request without the part fileData is rejected', async (context) => {
    const app = await context.app()
    expectError(await app.call('fileUpload', {}), { status: 400, code: 'file_missing' })
  }),
  check('not-a-file', '4.1', 'fileData as a plain field is rejected: it must be a file part', async (context) => {
    const app = await context.app()
    const pairs = [...app.sign({}), ['fileData', 'x'] as const]
    expectError(await app.send('fileUpload', pairs), { status: 400, code: 'parameter_invalid', message: 'file part' })
  }),
  check('cut-off', '4.1', 'a body without its closing boundary is rejected as malformed', async (context) => {
    const app = await context.app()
    const parts = [...app.sign({}), ['fileData"; filename="icon.png', 'x'.repeat(100)] as const].map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const reply = await context.raw({
      method: 'POST',
      target: operations.fileUpload.path,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: parts.join('').slice(0, -20),
    })
    expectError(reply, { status: 400, code: 'parameter_malformed' })
  }),
  check('misnamed', '4.1', 'a file in another part is rejected, and the error names fileData', async (context) => {
    const app = await context.app()
    expectError(await upload(app, png, 'image/png', 'file'), {
      status: 400,
      code: 'parameter_unknown',
      message: 'fileData',
    })
  }),
  check('size', '4.1', 'images of up to 2 MiB are accepted, larger ones are rejected with 413', async (context) => {
    const app = await context.app()
    expectSuccess(await upload(app, padded(largest)))
    expectError(await upload(app, padded(largest + 1)), { status: 413, code: 'file_too_large' })
  }),
  check('signed', '4.1', 'all other parts are signed', async (context) => {
    const app = await context.app()
    const body = new FormData()
    for (const [key, value] of app.sign({})) body.append(key, key === 'sign' ? '0'.repeat(64) : value)
    body.append('fileData', new Blob([png], { type: 'image/png' }), 'icon.png')
    const reply = await context.raw({ method: 'POST', target: operations.fileUpload.path, body })
    expectError(reply, { status: 401, code: 'sign_mismatch' })
  }),
]
