import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { readFile } from '../../domain/miniApps/index.ts'
import { drawAvatar } from '../../domain/users/index.ts'

/** Serves uploaded images and generated avatars to any browser. They never change and contain no scripts. */
export function fileSurface(context: FullContext) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.get<{ Params: { name: string } }>('/files/:name', { exposeHeadRoute: true }, async (request, reply) => {
      return sendFile(reply, await readFile(context, request.params.name.split('.')[0]!))
    })
    server.get<{ Params: { name: string } }>(
      '/files/avatars/:name',
      { exposeHeadRoute: true },
      async (request, reply) => {
        const content = drawAvatar(request.params.name.split('.')[0]!)
        return sendFile(reply, { mediaType: 'image/svg+xml', size: Buffer.byteLength(content), content })
      },
    )
  }
}

interface File {
  mediaType: string
  /** Bytes. */
  size: number
  content: Buffer | Readable | string
}

function sendFile(reply: FastifyReply, { mediaType, size, content }: File) {
  return reply
    .header('Content-Type', mediaType)
    .header('Content-Length', size)
    .header('Cache-Control', 'public, max-age=31536000, immutable')
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .send(content)
}
