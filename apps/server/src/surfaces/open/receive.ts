import { addParameter, joinParameters, maxFileSize, ParameterFault, parseForm, SoukError } from '@souk/contract'
import type { FastifyRequest } from 'fastify'

/** Parameters as they arrived, decoded but not yet typed, and the file part where there is one. */
export interface Received {
  parameters: Map<string, string>
  /** The part `fileData`, which is neither signed nor encrypted (open API §4.1). */
  file: Buffer | undefined
}

/** The largest form body, in bytes: 500 openIds and long texts fit several times. */
export const maxFormSize = 256 * 1024

/**
 * The parameters of query string and body as one set (open API §4.1).
 *
 * @throws SoukError `parameter_repeated`, `parameter_malformed`, `parameter_control_character`, `file_too_large`
 */
export async function receive(request: FastifyRequest): Promise<Received> {
  try {
    const target = request.raw.url!
    const mark = target.indexOf('?')
    const query = mark === -1 ? new Map<string, string>() : parseForm(target.slice(mark + 1))
    if (request.isMultipart()) {
      const { fields, file } = await receiveMultipart(request)
      return { parameters: joinParameters(query, fields), file }
    }
    const body = request.body
    if (!Buffer.isBuffer(body) || body.length === 0) return { parameters: query, file: undefined }
    return { parameters: joinParameters(query, parseForm(body.toString('latin1'))), file: undefined }
  } catch (error) {
    if (error instanceof ParameterFault) throw new SoukError(error.code, `${error.reason}.`)
    throw error
  }
}

async function receiveMultipart(
  request: FastifyRequest,
): Promise<{ fields: Map<string, string>; file: Buffer | undefined }> {
  const fields = new Map<string, string>()
  let file: Buffer | undefined
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (part.fieldname !== 'fileData') {
        throw new SoukError(
          'parameter_unknown',
          `The file part must be named fileData, not ${JSON.stringify(part.fieldname.slice(0, 64))}.`,
        )
      }
      if (file) throw new SoukError('parameter_repeated', 'fileData is given more than once.')
      file = await part.toBuffer().catch((cause: unknown) => {
        throw new SoukError('file_too_large', `fileData may have ${maxFileSize} bytes at most.`, { cause })
      })
    } else {
      const value = String(part.value)
      // The multipart reader replaces what is not UTF-8 instead of refusing it.
      if (value.includes('\uFFFD'))
        throw new SoukError('parameter_malformed', `The value of ${part.fieldname} is not UTF-8.`)
      if (part.valueTruncated) throw new SoukError('body_too_large', `${part.fieldname} is too long.`)
      addParameter(fields, part.fieldname, value)
    }
  }
  return { fields, file }
}
