import type { Socket } from 'node:net'
import { SoukError, second } from '@souk/contract'

/** Limits of a share, in bytes. */
interface ShareLimits {
  total: number
  perNetwork: number
}

/** Bodies that arrive more slowly are ended: after the grace, all of a body must have arrived at this rate. */
export interface ArrivalLimits {
  /** ms */
  grace: number
  /** Bytes per second. */
  rate: number
}

/** The part of a share that one client network holds. */
interface Holder {
  bytes: number
  /** Its receipts whose body is arriving, oldest first. */
  arriving: Set<Receipt>
}

/** Memory, or room on the disk, for bodies of one kind of caller. */
export class BodyShare {
  readonly #limits: ShareLimits
  readonly #holders = new Map<string, Holder>()
  #total = 0

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  /** Returns the receipts whose body is arriving. */
  *arriving(): Iterable<Receipt> {
    for (const { arriving } of this.#holders.values()) yield* arriving
  }

  /**
   * Reserves bytes for a network. If others have used up the share, ends bodies that are still arriving from the
   * network that holds most, so that a few networks cannot keep all others out. Returns false if the bytes are not
   * available.
   */
  reserve(network: string, bytes: number): boolean {
    const own = this.#holders.get(network)?.bytes ?? 0
    if (own + bytes > this.#limits.perNetwork) return false
    while (this.#total + bytes > this.#limits.total) if (!this.#endOneBody(own + bytes)) return false
    this.#total += bytes
    this.#holderOf(network).bytes += bytes
    return true
  }

  release(network: string, bytes: number): void {
    this.#total -= bytes
    this.#holderOf(network).bytes -= bytes
    this.#forget(network)
  }

  follow(network: string, receipt: Receipt): void {
    this.#holderOf(network).arriving.add(receipt)
  }

  unfollow(network: string, receipt: Receipt): void {
    this.#holderOf(network).arriving.delete(receipt)
    this.#forget(network)
  }

  /** Ends the oldest arriving body of the network that holds most, if it holds more than `least`. Returns whether. */
  #endOneBody(least: number): boolean {
    let most: Holder | undefined
    for (const holder of this.#holders.values()) {
      if (holder.arriving.size > 0 && holder.bytes > (most?.bytes ?? least)) most = holder
    }
    const [oldest] = most?.arriving ?? []
    oldest?.end(tooManyBodies())
    return oldest !== undefined
  }

  #holderOf(network: string): Holder {
    let holder = this.#holders.get(network)
    if (!holder) {
      holder = { bytes: 0, arriving: new Set() }
      this.#holders.set(network, holder)
    }
    return holder
  }

  #forget(network: string): void {
    const { bytes, arriving } = this.#holderOf(network)
    if (bytes === 0 && arriving.size === 0) this.#holders.delete(network)
  }
}

/** The part of a share that one request holds. */
export class Receipt {
  #share: BodyShare
  readonly network: string
  readonly #socket: Socket
  #bytes = 0
  #fail: ((reason: SoukError) => void) | undefined
  #afterwards: (() => void) | undefined
  /** The request has been answered, or its connection is lost. */
  isOver = false
  /** Time of `performance.now()`, and bytes that the connection had received, when the body started to arrive. */
  #since = 0
  #before = 0

  constructor(share: BodyShare, network: string, socket: Socket) {
    this.#share = share
    this.network = network
    this.#socket = socket
  }

  /** Returns a receipt of the same request for another share. */
  of(share: BodyShare): Receipt {
    return new Receipt(share, this.network, this.#socket)
  }

  /** @throws SoukError `unavailable` */
  reserve(bytes: number): void {
    if (!this.#share.reserve(this.network, bytes)) throw tooManyBodies()
    this.#bytes += bytes
  }

  /** Returns the bytes when the request is over, and calls what waits for this. */
  close(): void {
    this.isOver = true
    this.unfollow()
    this.release()
    this.#afterwards?.()
  }

  /** Calls `run` when the request is over. */
  afterwards(run: () => void): void {
    if (this.isOver) run()
    else this.#afterwards = run
  }

  /** Returns all bytes that were reserved. */
  release(): void {
    if (this.#bytes > 0) this.#share.release(this.network, this.#bytes)
    this.#bytes = 0
  }

  /** Records that the body is arriving; `fail` ends it. */
  follow(fail: (reason: SoukError) => void): void {
    this.#fail = fail
    this.#since = performance.now()
    this.#before = this.#socket.bytesRead
    this.#share.follow(this.network, this)
  }

  /** Records that the body has arrived, or is no longer waited for. */
  unfollow(): void {
    if (!this.#fail) return
    this.#fail = undefined
    this.#share.unfollow(this.network, this)
  }

  /** Returns the connection of a body that arrives too slowly, otherwise undefined. */
  slowSocket({ grace, rate }: ArrivalLimits): Socket | undefined {
    const required = ((performance.now() - this.#since - grace) / second) * rate
    return required > this.#socket.bytesRead - this.#before ? this.#socket : undefined
  }

  /** Ends the body that is arriving, and returns its bytes. */
  end(reason: SoukError): void {
    const fail = this.#fail
    this.unfollow()
    this.release()
    fail?.(reason)
  }

  /** Holds what follows from another share. Call it before the body arrives. */
  moveTo(share: BodyShare): void {
    this.#share = share
  }

  isOf(share: BodyShare): boolean {
    return this.#share === share
  }
}

function tooManyBodies(): SoukError {
  return new SoukError('unavailable', 'Too many request bodies are being sent; try again in a few seconds.', {
    data: { retryAfter: 5 },
  })
}
