/** Limits of a JSON text that are checked before it is parsed. */
export interface JsonLimits {
  /** Maximum number of values: numbers, texts, true, false, null, lists and objects. */
  values: number
  /** Maximum number of lists and objects inside each other. */
  levels: number
  /** Maximum number of items in the list whose items are found. */
  items?: number | undefined
}

/** The bytes from `start` to before `end`. */
export interface Range {
  start: number
  end: number
}

const space = 0x20
const quote = 0x22
const comma = 0x2c
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/**
 * Counts the values and levels of a JSON text without parsing it, in time linear in its bytes and in constant memory.
 * For invalid JSON, counts at least what a parser would read before it fails.
 */
export class JsonScan {
  readonly #bytes: Uint8Array
  readonly #limits: JsonLimits
  /** The name of the list in the outermost object whose items are found. */
  readonly #itemsOf: string | undefined
  #at = 0
  #inText = false
  /** The previous byte opened a list or an object. */
  #hasOpened = false
  #values = 1
  #levels = 0
  /** The last text of the outermost object: the name of the value that follows. */
  #name: Range = { start: 0, end: 0 }
  #itemStart = -1
  /** The items that were found. */
  readonly items: Range[] = []
  /** The content of the list that has them. */
  list: Range | undefined

  constructor(bytes: Uint8Array, limits: JsonLimits, itemsOf?: string) {
    this.#bytes = bytes
    this.#limits = limits
    this.#itemsOf = itemsOf
  }

  /** Continues to before the byte `end`. Returns the limit that is exceeded, if any. */
  advance(end = this.#bytes.length): keyof JsonLimits | undefined {
    // In local variables, which takes half the time.
    const bytes = this.#bytes
    const { values: maxValues, levels: maxLevels, items: maxItems = Infinity } = this.#limits
    let at = this.#at
    let inText = this.#inText
    let hasOpened = this.#hasOpened
    let values = this.#values
    let levels = this.#levels
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (inText) {
        if (byte === backslash) at++
        else if (byte === quote) {
          inText = false
          if (levels === 1) this.#name.end = at
        }
        continue
      }
      if (byte <= space) continue
      if (hasOpened) {
        hasOpened = false
        if (byte !== closeList && byte !== closeObject && ++values > maxValues) return 'values'
      }
      if (byte === quote) {
        inText = true
        if (levels === 1) this.#name.start = at + 1
      } else if (byte === comma) {
        if (++values > maxValues) return 'values'
        if (levels === 2 && this.#itemStart >= 0) {
          this.#endItem(at)
          if (this.items.length >= maxItems) return 'items'
        }
      } else if (byte === openList || byte === openObject) {
        hasOpened = true
        if (byte === openList && levels === 1 && this.#isItems()) this.#itemStart = at + 1
        if (++levels > maxLevels) return 'levels'
      } else if (byte === closeList || byte === closeObject) {
        levels--
        if (levels === 1 && this.#itemStart >= 0) this.#endList(at)
      }
    }
    this.#at = at
    this.#inText = inText
    this.#hasOpened = hasOpened
    this.#values = values
    this.#levels = levels
    return undefined
  }

  /** The number of values so far. */
  get values(): number {
    return this.#values
  }

  #isItems(): boolean {
    const { start, end } = this.#name
    return (
      this.#itemsOf !== undefined &&
      !this.list &&
      Buffer.from(this.#bytes.subarray(start, end)).toString() === this.#itemsOf
    )
  }

  #endItem(end: number): void {
    this.items.push({ start: this.#itemStart, end })
    this.#itemStart = end + 1
  }

  #endList(end: number): void {
    const start = this.items[0]?.start ?? this.#itemStart
    // An empty list has no item; after a comma, what is missing is for the parser to refuse.
    if (this.items.length > 0 || this.#bytes.subarray(this.#itemStart, end).some((byte) => byte > space)) {
      this.#endItem(end)
    }
    this.list = { start, end }
    this.#itemStart = -1
  }
}
