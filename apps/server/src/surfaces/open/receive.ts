import type { MultipartFile } from '@fastify/multipart'
import { addParameter, joinParameters, maxFileSize, ParameterFault, parseForm, SoukError } from '@souk/contract'
import type { FastifyRequest } from 'fastify'

/** Decoded parameters, not yet converted to their types, and the file part if there is one. */
export interface Received {
  parameters: Map<string, string>
  /** The part `fileData`, which is neither signed nor encrypted (open-api §4.1). */
  file: Buffer | undefined
}

/** Maximum size of a form, or of all fields of a multipart body, in bytes; several times what valid requests need. */
export const maxFormSize = 256 * 1024

/** Maximum number of parameters in a query string or a form, several times what any operation has. */
const maxParameters = 100

/**
 * Reads the parameters of query string and body as one map (open-api §4.1).
 *
 * @throws SoukError `parameter_repeated`, `parameter_malformed`, `parameter_control_character`, `parameter_unknown` (a
 *   file under another name), `body_unsupported` (compressed), `body_too_large`, `file_too_large`
 */
export async function receive(request: FastifyRequest): Promise<Received> {
  try {
    checkEncoding(request)
    const target = request.raw.url!
    const mark = target.indexOf('?')
    const query = mark === -1 ? new Map<string, string>() : parse(target.slice(mark + 1))
    if (request.isMultipart()) {
      const { fields, file } = await receiveMultipart(request).catch((error: unknown) => {
        // Otherwise a client that is still sending could not read the response.
        request.raw.unpipe()
        request.raw.resume()
        throw error
      })
      return { parameters: joinParameters(query, fields), file }
    }
    const body = request.body
    if (!Buffer.isBuffer(body) || body.length === 0) return { parameters: query, file: undefined }
    return { parameters: joinParameters(query, parse(body.toString('latin1'))), file: undefined }
  } catch (error) {
    if (error instanceof ParameterFault) throw new SoukError(error.code, `${error.reason.replace(/^the /, 'The ')}.`)
    throw error
  }
}

/** Parses a query string or a form. Checking the sign of thousands of parameters would take long. */
function parse(form: string): Map<string, string> {
  if (form.split('&', maxParameters + 1).length > maxParameters)
    throw new SoukError('parameter_malformed', `A request can have at most ${maxParameters} parameters.`)
  return parseForm(form)
}

function checkEncoding(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (request.method === 'GET' || !encoding || /^identity$/i.test(encoding)) return
  throw new SoukError(
    'body_unsupported',
    'Send the body without Content-Encoding: compressed bodies are not supported.',
  )
}

async function receiveMultipart(
  request: FastifyRequest,
): Promise<{ fields: Map<string, string>; file: Buffer | undefined }> {
  const fields = new Map<string, string>()
  let file: Buffer | undefined
  let left = maxFormSize
  // All parts as bytes, because the multipart parser replaces invalid UTF-8 by U+FFFD, which may also be sent
  // deliberately.
  for await (const part of request.parts({ isPartAFile: () => true })) {
    if (part.type !== 'file' || part.fieldname === undefined) {
      throw new SoukError('parameter_malformed', 'A part of the multipart body does not have a name.')
    }
    if (part.filename !== undefined || part.mimetype === 'application/octet-stream') {
      if (part.fieldname !== 'fileData') {
        throw new SoukError(
          'parameter_unknown',
          `The file part must be named fileData, not ${JSON.stringify(part.fieldname.slice(0, 64))}.`,
        )
      }
      if (file) throw new SoukError('parameter_repeated', 'fileData is repeated.')
      file = await contentOf(part)
    } else {
      const bytes = await contentOf(part, left)
      left -= bytes.length
      addParameter(fields, part.fieldname, textOf(part.fieldname, bytes))
    }
  }
  return { fields, file }
}

/** Reads a part. `maxSize` is for fields; files have their own limit. */
async function contentOf(part: MultipartFile, maxSize?: number): Promise<Buffer> {
  const content = await part.toBuffer().catch((error: { code?: unknown }) => {
    if (error.code !== 'FST_REQ_FILE_TOO_LARGE') {
      throw new SoukError('parameter_malformed', 'The multipart body ends before its closing boundary.')
    }
    if (maxSize === undefined) throw new SoukError('file_too_large', `fileData can have at most ${maxFileSize} bytes.`)
    throw formTooLarge()
  })
  if (maxSize !== undefined && content.length > maxSize) throw formTooLarge()
  return content
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
