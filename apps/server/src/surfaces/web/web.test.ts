import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { webSurface } from './index.ts'

let directory: string
let server: FastifyInstance

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'souk-web-'))
  server = Fastify()
})
afterEach(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

async function withBuild(): Promise<void> {
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'index.html'), '<!doctype html><meta property="csp-nonce" nonce="__SOUK_NONCE__">')
  await writeFile(join(directory, 'favicon.svg'), '<svg/>')
  await writeFile(join(directory, 'assets/main-abc.js'), 'plain')
  await writeFile(join(directory, 'assets/main-abc.js.br'), 'brotli')
  await server.register(webSurface(directory))
}

test('every address of the console is the page, never from a cache, with a nonce of its own', async () => {
  await withBuild()
  const answers = await Promise.all(
    ['/console/', '/console/projects/x/apps'].map((url) => server.inject({ method: 'GET', url })),
  )
  const nonces = answers.map(({ headers, body }) => {
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    const nonce = /nonce="([^"]+)"/.exec(body)?.[1]
    expect(policy).toContain(`'nonce-${nonce}'`)
    return nonce
  })
  expect(nonces[0]).not.toBe(nonces[1])
})

test('a file with a hash in its name is kept for ever and comes compressed where the browser takes it', async () => {
  await withBuild()
  const url = '/console/assets/main-abc.js'
  const plain = await server.inject({ method: 'GET', url })
  expect(plain.body).toBe('plain')
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const small = await server.inject({ method: 'GET', url, headers: { 'accept-encoding': 'gzip, br' } })
  expect(small.body).toBe('brotli')
  expect(small.headers['content-encoding']).toBe('br')
  expect(small.headers['content-type']).toMatch(/^(text|application)\/javascript/)
})

test('an unknown operation or file below /console is not answered with the page', async () => {
  await withBuild()
  const operation = await server.inject({ method: 'GET', url: '/console/v1/nothing' })
  expect(operation.statusCode).toBe(404)
  expect(operation.json().code).toBe('route_unknown')
  const file = await server.inject({ method: 'GET', url: '/console/assets/gone.js' })
  expect(file.statusCode).toBe(404)
})

test('a console that has not been built says so, and how to build it', async () => {
  await server.register(webSurface(directory))
  const answer = await server.inject({ method: 'GET', url: '/console/' })
  expect(answer.statusCode).toBe(503)
  expect(answer.body).toContain('npm start')
})
