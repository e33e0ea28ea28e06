import { parentPort, workerData } from 'node:worker_threads'
import { originalPositionFor, TraceMap, traceSegment } from '@jridgewell/trace-mapping'
import type { MapInput, MappedPlace } from './mapStack.ts'
import type { Place } from './stack.ts'

const { scripts, places } = workerData as MapInput

/** A script of a release, as far as it is needed to map places in it. */
class Script {
  readonly #text: string
  /** Offsets of its lines. */
  readonly #starts = [0]
  readonly #map: TraceMap
  readonly #names: readonly string[]

  constructor({ script, sourceMap }: MapInput['scripts'][number]) {
    const read = new TextDecoder()
    this.#text = read.decode(script)
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
    this.#map = new TraceMap(read.decode(sourceMap))
    this.#names = this.#map.names
  }

  locate({ line, column, functionName }: Place): MappedPlace | null {
    if (line < 1 || column < 1) return null
    const found = originalPositionFor(this.#map, { line, column: column - 1 })
    // A damaged source map names sources that it does not list.
    if (typeof found.source !== 'string') return null
    const end = (this.#starts[line - 1] ?? 0) + column - 1
    const name = this.#originalName(functionName.split('.').at(-1)!, end) ?? functionName
    return { file: found.source, line: found.line, column: found.column + 1, function: name || null }
  }

  /**
   * Returns the original name of a function from its nearest declaration before an offset. The source map has the names
   * of identifiers where they are declared and used, not those of the functions that contain a place.
   */
  #originalName(name: string, end: number): string | undefined {
    if (name === '') return undefined
    let row = this.#starts.findLastIndex((start) => start <= end)
    for (
      let at = this.#text.lastIndexOf(name, end);
      at >= 0;
      at = at === 0 ? -1 : this.#text.lastIndexOf(name, at - 1)
    ) {
      if (!this.#isDeclared(at, name)) continue
      while (this.#starts[row]! > at) row--
      const column = at - this.#starts[row]!
      const segment = traceSegment(this.#map, row, column)
      if (segment?.length === 5 && segment[0] === column) return this.#names[segment[4]]
    }
    return undefined
  }

  /** Checks for `function name`, `name=` and `name =`, but not `name==`. */
  #isDeclared(at: number, name: string): boolean {
    const before = this.#text.slice(Math.max(0, at - 12), at)
    if (/[\w$.]$/.test(before)) return false
    if (/\bfunction[ *]{1,3}$/.test(before)) return true
    return /^\s?=[^=]/.test(this.#text.slice(at + name.length, at + name.length + 3))
  }
}

const read = new Map(scripts.map((script) => [script.path, new Script(script)]))
parentPort!.postMessage(places.map((place) => (place && read.get(place.path)?.locate(place)) ?? null))
