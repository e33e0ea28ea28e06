import type { IncomingMessage } from 'node:http'
import { defaultMaxBody, SoukError, second } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientNetwork } from '../kernel/clientNetwork.ts'
import { type ArrivalLimits, BodyShare, Receipt } from './bodyShare.ts'
import { endRequest } from './unreadable.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory that the body of the request holds; null if it has none. */
    receipt: Receipt | null
  }
  interface FastifyInstance {
    bodies: Bodies
  }
}

const defaultArrival: ArrivalLimits = { grace: 10 * second, rate: 1024 }
/** Interval of the checks for bodies that arrive too slowly. */
const checkInterval = second

const MiB = 1024 ** 2
/** Memory for bodies of callers who are known by their credentials. Three imports of 8 MiB for one client. */
const knownLimits = { total: 72 * MiB, perNetwork: 24 * MiB }
/** Memory for bodies of all others. It is little, and not that of the known ones. */
const strangerLimits = { total: 24 * MiB, perNetwork: 2 * MiB }
/** Room for uploaded files on the disk, until the sign of their request has been checked. */
const fileLimits = { total: 64 * MiB, perNetwork: 16 * MiB }

/** The room for request bodies of a server. */
class Bodies {
  readonly known = new BodyShare(knownLimits)
  readonly strangers = new BodyShare(strangerLimits)
  readonly files = new BodyShare(fileLimits)

  /** Ends the requests whose bodies arrive too slowly. */
  endSlow(limits: ArrivalLimits): void {
    for (const share of [this.known, this.strangers]) {
      for (const receipt of share.arriving()) {
        const socket = receipt.slowSocket(limits)
        if (socket) endRequest(socket, new SoukError('request_timeout'))
      }
    }
  }
}

/**
 * Limits the memory for bodies. A request holds what has arrived, not what it announces, until it is answered. Callers
 * are strangers, with a share of their own, until `recognize` is called.
 */
export function limitBodies(server: FastifyInstance, arrival: ArrivalLimits = defaultArrival): void {
  const bodies = new Bodies()
  server.decorate('bodies', bodies)
  server.decorateRequest('receipt', null)
  const checking = setInterval(() => bodies.endSlow(arrival), checkInterval).unref()
  server.addHook('onClose', async () => clearInterval(checking))
  server.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) {
      const receipt = new Receipt(bodies.strangers, clientNetwork(request.ip), request.raw.socket)
      request.receipt = receipt
      reply.raw.once('close', () => receipt.close())
    }
    done()
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Records that the caller of a request is known by its credentials. Call it before the body is read. */
export function recognize({ receipt, server }: FastifyRequest): void {
  receipt?.moveTo(server.bodies.known)
}

/** Returns the maximum size of the body of a request: that of its route, for callers who are not known less. */
export function bodyLimitOf({ receipt, server, routeOptions }: FastifyRequest): number {
  const { bodyLimit = defaultMaxBody } = routeOptions
  return receipt?.isOf(server.bodies.known) ? bodyLimit : Math.min(bodyLimit, defaultMaxBody)
}

/** Bytes that arrive in parts, for which memory is reserved. A list of parts of one byte each would take far more. */
export class ReceivedBytes {
  readonly #receipt: Receipt
  readonly #max: number
  readonly #announced: number
  #bytes: Buffer = Buffer.alloc(0)
  length = 0

  /** `announced`: the length that the client announces, or NaN. Nothing is reserved for it. */
  constructor(receipt: Receipt, max: number, announced = Number.NaN) {
    this.#receipt = receipt
    this.#max = max
    this.#announced = announced
  }

  /** @throws SoukError `body_too_large`, `unavailable` */
  append(part: Buffer): void {
    const length = this.length + part.length
    if (length > this.#max) throw tooLarge(this.#max)
    if (length > this.#bytes.length) {
      const size = length === this.#announced ? length : Math.min(Math.max(length, 2 * this.#bytes.length), this.#max)
      this.#receipt.reserve(size - this.#bytes.length)
      const larger = Buffer.allocUnsafe(size)
      this.#bytes.copy(larger, 0, 0, this.length)
      this.#bytes = larger
    }
    part.copy(this.#bytes, this.length)
    this.length = length
  }

  content(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }
}

/**
 * Receives a body of at most `limit` bytes. Calls `done` with it, or with a SoukError or the error of the connection.
 */
export function receiveBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  limit: number,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const { receipt } = request
  // The route is unknown; the body is discarded with the response.
  if (request.is404) return void done(null)
  if (!receipt) return void done(null, Buffer.alloc(0))
  const announced = Number(request.headers['content-length'] ?? Number.NaN)
  if (announced > limit) return void done(tooLarge(limit))

  const bytes = new ReceivedBytes(receipt, limit, announced)
  const end = (error: Error | null) => {
    receipt.unfollow()
    payload.off('data', onData).off('end', onEnd).off('error', end)
    done(error, error ? undefined : bytes.content())
  }
  const onEnd = () => end(null)
  const onData = (chunk: Buffer) => {
    try {
      bytes.append(chunk)
    } catch (error) {
      end(error as Error)
    }
  }
  receipt.follow(end)
  payload.on('data', onData).on('end', onEnd).on('error', end)
  payload.resume()
}

function tooLarge(limit: number): SoukError {
  return new SoukError('body_too_large', `It can have at most ${limit} bytes.`)
}
