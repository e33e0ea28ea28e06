import type { Rolldown } from 'vite'

type Chunks = readonly Pick<Rolldown.OutputChunk, 'fileName' | 'imports' | 'moduleIds'>[]

export interface Modules {
  /** Static imports of a module, in their order in the source. */
  importsOf(id: string): readonly string[]
  /** Checks if others may notice when the module runs. Only called for modules whose order has changed. */
  isSensitive(id: string): boolean
}

/**
 * Finds a module that chunks run at another time than the sources. Scripts run their imports first, so a chunk that
 * several pages share runs before all modules of a page, although the page imports others of them first. Returns its
 * id, or undefined.
 *
 * @param start entries that always run before the others, in this order
 * @param others entries of which any may run next
 */
export function findMisplaced(
  chunks: Chunks,
  modules: Modules,
  start: readonly string[],
  others: readonly string[],
): string | undefined {
  const inSources = new Runs((id) => modules.importsOf(id))
  const chunkOf = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk] as const)))
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const importsOfChunk = (name: string) => byName.get(name)!.imports.filter((each) => byName.has(each))
  const inChunks = new Runs(importsOfChunk)
  const isReached = (from: string, id: string) => new Runs((each) => modules.importsOf(each)).run(from).includes(id)
  /** Most entries run the same modules, so each answer is kept. */
  const sensitivity = new Map<string, boolean>()
  const isSensitive = (id: string): boolean => {
    const known = sensitivity.get(id) ?? modules.isSensitive(id)
    sensitivity.set(id, known)
    return known
  }

  const check = (entry: string): string | undefined => {
    const chunk = chunkOf.get(entry)
    if (!chunk) return undefined
    const expected = inSources.run(entry).filter((id) => chunkOf.has(id))
    const actual = inChunks.run(chunk.fileName).flatMap((name) => byName.get(name)!.moduleIds)
    if (isSame(expected, actual)) return undefined
    const places = new Map(actual.map((id, place) => [id, place]))
    const early = actual.find((id, place) =>
      modules.importsOf(id).some((imported) => (places.get(imported) ?? -1) > place && !isReached(imported, id)),
    )
    if (early !== undefined) return early
    // Up to the first difference both run the same modules.
    const different = expected.findIndex((id, place) => id !== actual[place])
    const same = different < 0 ? expected.length : different
    const sensitive = (ids: readonly string[]) => ids.slice(same).filter(isSensitive)
    const [right, found] = [sensitive(expected), sensitive(actual)]
    return found.find((id, place) => id !== right[place]) ?? right[found.length]
  }

  for (const entry of start) {
    const misplaced = check(entry)
    if (misplaced !== undefined) return misplaced
  }
  for (const entry of others) {
    const before = [inSources.ran.size, inChunks.ran.size]
    const misplaced = check(entry)
    if (misplaced !== undefined) return misplaced
    inSources.forget(before[0]!)
    inChunks.forget(before[1]!)
  }
  return undefined
}

/** Runs a graph as scripts run: imports first, each once. */
class Runs {
  readonly ran = new Set<string>()
  readonly #importsOf: (id: string) => readonly string[]

  constructor(importsOf: (id: string) => readonly string[]) {
    this.#importsOf = importsOf
  }

  /** Returns what runs for this entry and has not run before, in order. */
  run(entry: string): string[] {
    const order: string[] = []
    const visit = (id: string) => {
      if (this.ran.has(id)) return
      this.ran.add(id)
      for (const imported of this.#importsOf(id)) visit(imported)
      order.push(id)
    }
    visit(entry)
    return order
  }

  /** Forgets what has run after the first `count`. */
  forget(count: number): void {
    for (const id of [...this.ran].slice(count)) this.ran.delete(id)
  }
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((each, index) => each === b[index])
