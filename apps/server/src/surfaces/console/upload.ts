import multipart, { type Multipart } from '@fastify/multipart'
import { consoleOperations, maxArchiveSize, type Operation, SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyoneCaller, ConsoleCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { uploadRelease } from '../../domain/releases/index.ts'
import { admit } from '../access.ts'
import { fastifyPath, observe, observeRefusal, receivedJson, sendProblem } from '../json.ts'
import { compileParameters } from '../parameters.ts'
import { asSoukError } from '../refusal.ts'

/** Maximum size of a form field in bytes. */
const maxFieldSize = 16 * 1024

/** Registers `uploadRelease`, the console operation that takes a file in a multipart body. */
export function registerUpload(
  context: Context,
  authenticate: (request: FastifyRequest, operation: Operation) => Promise<ConsoleCaller | AnyoneCaller>,
) {
  const operation = consoleOperations.uploadRelease
  const read = compileParameters(operation)

  return async function register(server: FastifyInstance): Promise<void> {
    await server.register(multipart, {
      limits: { fileSize: maxArchiveSize, files: 1, fieldSize: maxFieldSize, fields: 10 },
    })
    server.post<{ Params: { appid: string } }>(fastifyPath(operation.path), {
      handler: async (request, reply) => {
        const began = performance.now()
        const caller = await authenticate(request, operation)
        // Before reading the body, which may be megabytes.
        await admit(context, caller, operation, { appid: request.params.appid })
        const { fields, archive } = await receiveForm(request)
        const input = read(receivedJson(request, fields))
        if (archive === undefined) throw new SoukError('file_missing')
        const result = await uploadRelease(context, caller as ConsoleCaller, { ...input, archive })
        observe(context, operation, request, { began, status: 200 })
        return reply
          .header('Content-Type', 'application/json; charset=utf-8')
          .header('Cache-Control', 'no-store')
          .send(JSON.stringify(result))
      },
      errorHandler: (error, request, reply) => {
        const refusal = asSoukError(error, context.log)
        observeRefusal(context, operation, request, reply, refusal)
        sendProblem(request, reply, refusal)
      },
    })
  }
}

interface Form {
  fields: [name: string, value: string][]
  archive: Buffer | undefined
}

/**
 * @throws SoukError `body_unsupported`, `parameter_unknown` (a file of another name), `parameter_malformed`,
 * `file_too_large`
 */
async function receiveForm(request: FastifyRequest): Promise<Form> {
  if (!request.isMultipart())
    throw new SoukError('body_unsupported', 'Send multipart/form-data, the archive as fileData.')
  const form: Form = { fields: [], archive: undefined }
  try {
    for await (const part of request.parts()) await receivePart(part, form)
    return form
  } catch (error) {
    // Otherwise a client that is still sending could not read the response.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  }
}

async function receivePart(part: Multipart, form: Form): Promise<void> {
  if (part.type === 'field') {
    if (part.valueTruncated) throw new SoukError('body_too_large', `A field can have at most ${maxFieldSize} bytes.`)
    form.fields.push([part.fieldname, String(part.value)])
    return
  }
  if (part.fieldname !== 'fileData') {
    throw new SoukError('parameter_unknown', 'The file part must be named fileData.')
  }
  form.archive = await part.toBuffer().catch((error: { code?: unknown }) => {
    if (error.code === 'FST_REQ_FILE_TOO_LARGE')
      throw new SoukError('file_too_large', `fileData can have at most ${maxArchiveSize} bytes.`)
    throw new SoukError('parameter_malformed', 'The multipart body ends before its closing boundary.')
  })
}
