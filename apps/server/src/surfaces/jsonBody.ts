import { setImmediate as nextTurn } from 'node:timers/promises'
import { defaultMaxBody, defaultMaxValues, maxLevels, type Operation, SoukError } from '@souk/contract'
import type { FastifyInstance } from 'fastify'
import { bodyLimitOf, receiveBody } from './bodies.ts'
import { BodyTurns } from './bodyTurns.ts'
import { type JsonLimits, JsonScan } from './jsonScan.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the route, whose limits of a JSON body apply. */
    operation?: Operation
  }
}

type ParsingLimits = Pick<Operation, 'maxValues' | 'items' | 'parameters'>

interface ListSchema {
  maxItems?: number
  'x-allowed'?: string
}

/** Bytes that a parsed value takes in memory, at most. */
const bytesPerValue = 128
/** Bytes of a large body that are scanned or parsed before other requests have their turn. */
const slice = 256 * 1024
/** The body, and the lists and objects in the value of a parameter. */
const levels = 1 + maxLevels
/** Parsed, an import takes up to 50 MB; others wait as bytes. */
const turns = new BodyTurns(2)

/** Parses a text; Fastify's parser, which refuses names such as `__proto__`. */
type Parse = (text: string) => unknown

/**
 * Accepts JSON bodies within the limits of their operation. A caller who is not known yet can send `defaultMaxBody`.
 * `isEmptyAllowed`: a DELETE may name the type of a body that it does not have.
 */
export function acceptJson(server: FastifyInstance, { isEmptyAllowed = false } = {}): void {
  const parser = server.getDefaultJsonParser('error', 'error')
  const parse: Parse = (text) => {
    let parsed: unknown
    // It calls back at once.
    parser(undefined as never, text, (error, body) => {
      if (error) throw error
      parsed = body
    })
    return parsed
  }
  server.addContentTypeParser('application/json', (request, payload, done) => {
    receiveBody(request, payload, bodyLimitOf(request), (error, body) => {
      if (error || body === undefined) return done(error, undefined)
      if (body.length === 0 && isEmptyAllowed && request.method === 'DELETE') return done(null, undefined)
      const { operation } = request.routeOptions.config
      if (body.length > defaultMaxBody) {
        turns
          .take(request.receipt!)
          .then(() => parseLarge(body, operation, parse))
          .then((parsed) => done(null, parsed), done)
        return
      }
      try {
        const values = requireLimits(body, operation?.maxValues)
        request.receipt?.reserve(values * bytesPerValue)
        done(null, parse(body.toString()))
      } catch (thrown) {
        done(thrown as Error)
      }
    })
  })
}

/**
 * Parses the JSON text of a parameter within the default limits. Returns a text that is not JSON unchanged; it is
 * refused as a parameter of the wrong type. @throws SoukError `body_too_large`, `parameter_malformed`
 */
export function parseJson(text: string): unknown {
  requireLimits(Buffer.from(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the number of values in a JSON text. @throws SoukError `body_too_large`, `parameter_malformed` */
function requireLimits(bytes: Buffer, values = defaultMaxValues): number {
  const scan = new JsonScan(bytes, { values, levels })
  refuseExcess(scan.advance(), values)
  return scan.values
}

function refuseExcess(exceeded: keyof JsonLimits | undefined, values: number): void {
  if (exceeded === 'values') {
    throw new SoukError('body_too_large', `It can have at most ${values} values: numbers, texts, lists and objects.`)
  }
  if (exceeded === 'levels') throw new SoukError('parameter_malformed', `The body has more than ${maxLevels} levels.`)
}

/**
 * Parses a large body. Lets other requests have their turn, and parses the items of a list one at a time, since a
 * parser cannot be interrupted.
 */
async function parseLarge(body: Buffer, operation: ParsingLimits | undefined, parse: Parse): Promise<unknown> {
  const { maxValues = defaultMaxValues, items } = operation ?? {}
  const schema: ListSchema = (items !== undefined && operation?.parameters.properties[items]) || {}
  const scan = new JsonScan(body, { values: maxValues, levels, items: schema.maxItems }, items)
  for (let end = slice; ; end += slice) {
    const exceeded = scan.advance(Math.min(end, body.length))
    if (exceeded === 'items') {
      throw new SoukError('parameter_invalid', `${items} ${schema['x-allowed']}.`, { data: { parameters: [items] } })
    }
    refuseExcess(exceeded, maxValues)
    if (end >= body.length) break
    await nextTurn()
  }
  const { list } = scan
  if (items === undefined || !list) {
    if (scan.values > defaultMaxValues) refuseExcess('values', defaultMaxValues)
    return parse(body.toString())
  }
  const others = Buffer.concat([body.subarray(0, list.start), body.subarray(list.end)])
  requireLimits(others)
  const parsed = parse(others.toString()) as Record<string, unknown[]>
  if (parsed[items]?.length !== 0) throw new SoukError('parameter_repeated', `${items} is repeated.`)
  let left = slice
  for (const { start, end } of scan.items) {
    parsed[items].push(parse(body.toString('utf8', start, end)))
    left -= end - start
    if (left > 0) continue
    left = slice
    await nextTurn()
  }
  return parsed
}
