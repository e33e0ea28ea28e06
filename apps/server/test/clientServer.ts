import Fastify, { type FastifyInstance } from 'fastify'
import { clientsSurface } from '../src/surfaces/clients/index.ts'

/** Starts a server that has the clients for backends only, and logs what it answers, such as `200 /go/…`. */
export async function startClientServer(): Promise<{ url: string; answers: string[]; server: FastifyInstance }> {
  const server = Fastify()
  const answers: string[] = []
  server.addHook('onResponse', async ({ url }, { statusCode }) => {
    answers.push(`${statusCode} ${url}`)
  })
  const context = { settings: { publicUrl: 'http://localhost' }, log: { error: console.error } }
  await server.register(clientsSurface(context as unknown as Parameters<typeof clientsSurface>[0]))
  return { url: (await server.listen()).replace('[::1]', 'localhost'), answers, server }
}
