import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import multipart, { type Multipart } from '@fastify/multipart'
import {
  consoleOperations,
  maxArchiveSize,
  type Operation,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AnyoneCaller, type ConsoleCaller, nameOf } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import { uploadRelease, uploadSourceMaps } from '../../domain/miniApps/index.ts'
import { Lanes } from '../../kernel/lanes.ts'
import { admit, projectOf } from '../access.ts'
import { recognize } from '../bodies.ts'
import { clientLeft } from '../clientLeft.ts'
import { begin, fastifyPath, observe, receivedJson, sendProblem } from '../json.ts'
import { parseJson } from '../jsonBody.ts'
import { asSoukError } from '../refusal.ts'
import { endRequest } from '../unreadable.ts'
import { withTemporaryUpload } from './temporaryUploads.ts'

/** Maximum size of a form field in bytes. */
const maxFieldSize = 16 * 1024
/** Unpacking an archive can take 100 MB of memory, so the others wait for their turn on disk. */
const uploads = new Lanes({ work: 'uploads', concurrency: 2, perCaller: 4, perLane: 8 })

/** Registers the console operations that take a file in a multipart body. */
export function registerUpload(
  context: FullContext,
  authenticate: (request: FastifyRequest, operation: Operation) => Promise<ConsoleCaller | AnyoneCaller>,
) {
  return async function register(server: FastifyInstance): Promise<void> {
    await server.register(multipart, {
      limits: { fileSize: maxArchiveSize, files: 1, fieldSize: maxFieldSize, fields: 10 },
    })
    const { uploadRelease: ofRelease, uploadSourceMaps: ofSourceMaps } = consoleOperations
    accept(ofRelease, (caller, input) => uploadRelease(context, caller, input))
    accept(ofSourceMaps, (caller, input) => uploadSourceMaps(context, caller, input))

    function accept<O extends typeof ofRelease | typeof ofSourceMaps>(
      operation: O,
      run: (
        caller: ConsoleCaller,
        input: ParametersOf<O> & { archive: Buffer; signal: AbortSignal },
      ) => Promise<ResultOf<O>>,
    ): void {
      const read = compileParameters(operation)
      const callers = new WeakMap<FastifyRequest, ConsoleCaller | AnyoneCaller>()
      server.post<{ Params: Record<string, string> }>(fastifyPath(operation.path), {
        onRequest: async (request) => {
          begin(request)
          const caller = await authenticate(request, operation)
          await admit(context, caller, operation, { appid: request.params.appid })
          recognize(request)
          callers.set(request, caller)
        },
        handler: async (request, reply) => {
          const caller = callers.get(request)!
          const signal = clientLeft(reply.raw)
          const lane = (await projectOf(context, operation, request.params)) ?? ''
          const place = uploads.enter({ lane, caller: nameOf(caller as ConsoleCaller), signal })
          const result = await withTemporaryUpload(async (path) => {
            const { fields, archive } = await receiveForm(request, path)
            const input = read(receivedJson(request, fields)) as ParametersOf<O>
            if (archive === undefined) throw new SoukError('file_missing')
            // Waiting for the turn is not idleness of the client.
            request.raw.setTimeout(0)
            return place.run(async () => {
              return run(caller as ConsoleCaller, { ...input, archive: await readFile(archive), signal })
            })
          }).finally(place.leave)
          observe(context, operation, request, { status: 200 })
          return reply
            .header('Content-Type', 'application/json; charset=utf-8')
            .header('Cache-Control', 'no-store')
            .send(JSON.stringify(result))
        },
        errorHandler: (error, request, reply) => {
          const refusal = asSoukError(error, request, context.log)
          observe(context, operation, request, refusal)
          sendProblem(request, reply, refusal)
        },
      })
    }
  }
}

interface Form {
  /** `notes` is parsed JSON, so that the texts in it are checked like all others. */
  fields: [name: string, value: unknown][]
  /** Path of the file that contains it. */
  archive: string | undefined
}

/**
 * Reads the form and writes the archive to the file `path`.
 *
 * @throws SoukError `body_unsupported`, `parameter_unknown` (a file of another name), `parameter_malformed`,
 * `file_too_large`
 */
async function receiveForm(request: FastifyRequest, path: string): Promise<Form> {
  if (!request.isMultipart())
    throw new SoukError('body_unsupported', 'Send multipart/form-data, the archive as fileData.')
  const form: Form = { fields: [], archive: undefined }
  request.receipt?.follow((reason) => endRequest(request.raw.socket, reason))
  try {
    for await (const part of request.parts()) {
      request.receipt?.reserve(part.type === 'field' ? String(part.value).length : 0)
      await receivePart(part, form, path)
    }
    return form
  } catch (error) {
    // Otherwise a client that is still sending could not read the response.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  } finally {
    request.receipt?.unfollow()
  }
}

async function receivePart(part: Multipart, form: Form, path: string): Promise<void> {
  if (part.type === 'field') {
    if (part.valueTruncated) throw new SoukError('body_too_large', `A field can have at most ${maxFieldSize} bytes.`)
    const text = String(part.value)
    form.fields.push([part.fieldname, part.fieldname === 'notes' ? parseJson(text) : text])
    return
  }
  if (part.fieldname !== 'fileData') {
    throw new SoukError('parameter_unknown', 'The file part must be named fileData.')
  }
  try {
    await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException)
  }
  form.archive = path
}

function explain(error: NodeJS.ErrnoException): unknown {
  if (error.code === 'FST_REQ_FILE_TOO_LARGE')
    return new SoukError('file_too_large', `fileData can have at most ${maxArchiveSize} bytes.`)
  // The temporary file could not be written.
  if (error.syscall !== undefined) return error
  return new SoukError('parameter_malformed', 'The multipart body ends before its closing boundary.')
}
