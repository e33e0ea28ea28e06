import type { FastifyInstance } from 'fastify'
import type { Context } from '../../domain/context.ts'
import { readFile } from '../../domain/files/index.ts'
import { sendProblem } from '../json.ts'
import { asSoukError } from '../refusal.ts'

/** Uploaded images, for every browser. Their content never changes, and nothing in them runs. */
export function fileSurface(context: Context) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.get<{ Params: { name: string } }>('/files/:name', async (request, reply) => {
      const { mediaType, content } = await readFile(context, request.params.name.split('.')[0]!)
      return reply
        .header('Content-Type', mediaType)
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .header('X-Content-Type-Options', 'nosniff')
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .send(content)
    })
    server.setErrorHandler((error, request, reply) => sendProblem(request, reply, asSoukError(error, context.log)))
  }
}
