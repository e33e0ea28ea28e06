import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { separateMiniApps } from './miniAppsHost.ts'

const own = 'souk.example'
const miniApps = 'mini.example'

test.each([
  [miniApps, '/mini/a/b/index.html', 200],
  [miniApps, '/console/', 404],
  [miniApps, '/nothing', 404],
  [own, '/console/', 200],
  [own, '/mini/a/b/index.html', 404],
  [miniApps, '/local-pages/a/b/hybrid/html/a.html', 200],
  [own, '/local-pages/a/b/hybrid/html/a.html', 404],
  [own, '/%6dini/a/b/index.html', 404],
])('the host %s answers %s with %i', async (host, url, status) => {
  const server = Fastify()
  server.addHook('onRequest', separateMiniApps(`https://${miniApps}`))
  server.get('/mini/:appid/:releaseId/*', async () => 'a release')
  server.get('/local-pages/:appid/:releaseId/*', async () => 'a local page')
  server.get('/console/*', async () => 'the console')
  const { statusCode } = await server.inject({ url, headers: { host } })
  expect(statusCode).toBe(status)
})
