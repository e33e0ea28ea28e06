import type { Multipart, MultipartFile } from '@fastify/multipart'
import { addParameter, joinParameters, maxFileSize, type Operation, SoukError } from '@souk/contract'
import type { FastifyRequest } from 'fastify'
import { ReceivedBytes } from '../bodies.ts'
import { explainFault, parseParameters } from '../form.ts'
import { endRequest } from '../unreadable.ts'
import { textsOf } from './generation2023.ts'
import { StoredFile } from './storedFile.ts'

/** Decoded parameters, not yet converted to their types, and the file part if there is one. */
export interface Received {
  parameters: Map<string, string>
  /** Whether there is a part `fileData`, which is neither signed nor encrypted (open-api §4.1). */
  hasFile: boolean
  /** The part, if the operation takes a file. Must be closed. */
  file: StoredFile | undefined
}

/** Maximum size of a form, or of all fields of a multipart body, in bytes; several times what valid requests need. */
export const maxFormSize = 256 * 1024

/** Hint for bodies of other types. */
export const onlyForms = 'Send application/x-www-form-urlencoded or multipart/form-data.'

/**
 * Reads the parameters of query string and body as one map (open-api §4.1). An empty body has any content type.
 *
 * @throws SoukError `parameter_repeated`, `parameter_malformed`, `parameter_control_character`, `parameter_unknown` (a
 *   file under another name), `body_unsupported` (compressed), `body_too_large`, `file_too_large`, `unavailable`
 */
export async function receive(
  request: FastifyRequest,
  { file: takesFile }: Operation,
  acceptsJson = false,
): Promise<Received> {
  try {
    const target = request.raw.url!
    const mark = target.indexOf('?')
    const query = mark === -1 ? new Map<string, string>() : parseParameters(target.slice(mark + 1))
    if (request.isMultipart()) {
      checkEncoding(request)
      return await receiveMultipart(request, query, takesFile === true)
    }
    const body = request.body
    if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) {
      if (!acceptsJson) throw new SoukError('body_unsupported', onlyForms)
      checkEncoding(request)
      const parameters = new Map<string, string>()
      for (const [name, value] of textsOf(body)) addParameter(parameters, name, value)
      return { parameters: joinParameters(query, parameters), hasFile: false, file: undefined }
    }
    if (!Buffer.isBuffer(body) || body.length === 0) return { parameters: query, hasFile: false, file: undefined }
    checkEncoding(request)
    return {
      parameters: joinParameters(query, parseParameters(body.toString('latin1'))),
      hasFile: false,
      file: undefined,
    }
  } catch (error) {
    throw explainFault(error)
  }
}

function checkEncoding(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (!encoding || /^identity$/i.test(encoding)) return
  throw new SoukError(
    'body_unsupported',
    'Send the body without Content-Encoding: compressed bodies are not supported.',
  )
}

async function receiveMultipart(
  request: FastifyRequest,
  query: Map<string, string>,
  takesFile: boolean,
): Promise<Received> {
  const form: Received = { parameters: new Map(), hasFile: false, file: undefined }
  request.receipt?.follow((reason) => endRequest(request.raw.socket, reason))
  try {
    let left = maxFormSize
    // All parts as bytes, because the multipart parser replaces invalid UTF-8 by U+FFFD, which may also be sent
    // deliberately.
    for await (const part of request.parts({ isPartAFile: () => true })) left -= await receivePart(part, left)
    return { ...form, parameters: joinParameters(query, form.parameters) }
  } catch (error) {
    // Otherwise a client that is still sending could not read the response.
    request.raw.unpipe()
    request.raw.resume()
    await form.file?.close()
    throw error
  } finally {
    request.receipt?.unfollow()
  }

  /** Returns the number of bytes of a field. */
  async function receivePart(part: Multipart, left: number): Promise<number> {
    if (part.type !== 'file' || part.fieldname === undefined) {
      throw new SoukError('parameter_malformed', 'A part of the multipart body does not have a name.')
    }
    if (part.filename === undefined && part.mimetype !== 'application/octet-stream') {
      const bytes = await fieldOf(request, part, left)
      addParameter(form.parameters, part.fieldname, textOf(part.fieldname, bytes))
      return bytes.length
    }
    if (part.fieldname !== 'fileData') {
      throw new SoukError(
        'parameter_unknown',
        `The file part must be named fileData, not ${JSON.stringify(part.fieldname.slice(0, 64))}.`,
      )
    }
    if (form.hasFile) throw new SoukError('parameter_repeated', 'fileData is repeated.')
    form.hasFile = true
    form.file = await fileOf(request, part, takesFile)
    return 0
  }
}

/** Returns the content of a field of at most `maxSize` bytes. */
async function fieldOf({ receipt }: FastifyRequest, { file }: MultipartFile, maxSize: number): Promise<Buffer> {
  const bytes = new ReceivedBytes(receipt!, maxSize)
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      if (bytes.length + chunk.length > maxSize) throw formTooLarge()
      bytes.append(chunk)
    }
    return bytes.content()
  } catch (error) {
    throw explain(error)
  }
}

/** Returns the stored content of a file; undefined if the operation takes none. */
async function fileOf({ receipt, server }: FastifyRequest, { file }: MultipartFile, takesFile: boolean) {
  try {
    if (takesFile) return await StoredFile.from(file, receipt!.of(server.bodies.files))
    for await (const _chunk of file);
    return undefined
  } catch (error) {
    throw explain(error)
  }
}

function explain(error: unknown): unknown {
  if (error instanceof SoukError) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new SoukError('file_too_large', `fileData can have at most ${maxFileSize} bytes.`)
  }
  // The file could not be stored.
  if (syscall !== undefined) return error
  return new SoukError('parameter_malformed', 'The multipart body ends before its closing boundary.')
}

function formTooLarge(): SoukError {
  return new SoukError('body_too_large', `The fields of a form can have at most ${maxFormSize} bytes in total.`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(name: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new SoukError('parameter_malformed', `The value of ${name.slice(0, 64)} is not UTF-8.`)
  }
}
