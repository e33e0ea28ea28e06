import type { Platform } from '../diagnostic.ts'
import type { Lines } from '../parse/lines.ts'
import { type Json, toJson } from '../parse/nodes.ts'
import { isAppPlusKey } from '../rules/honored.ts'
import { type FoundValue, type Layer, valuesIn, worksIn } from './layers.ts'
import { countingShape, type PlatformAttribute } from './platformAttributes.ts'

/** The origin of a value; lines and columns from 1. */
export type Provenance = {
  readonly from: 'page' | 'globalStyle' | 'tabBar' | 'default'
  /** Position of the value; a default has none. */
  readonly line?: number
  readonly column?: number
  readonly offset?: number
  /** Key path from the style object, as in `app-plus.titleNView.type`. */
  readonly key?: string
  /** Section of pages-json. */
  readonly section: string
}

/** A place that may set an attribute, and why it wins or loses. Candidates are ordered by precedence. */
export type Candidate = Provenance & { readonly value: Json | undefined; readonly wins: boolean; readonly why: string }

export type Provenances = { [key: string]: Provenance }

/** Maps in which resolution records the origin of values. Without both maps resolution is several times faster. */
export type ProvenanceRecorder = {
  readonly platform: Platform
  readonly lines: Lines
  readonly provenance: Provenances | undefined
  /** Candidates of every attribute, for `explain`. */
  readonly trace: Map<string, Candidate[]> | undefined
}

/** Records the origin of the value at `path`. */
export function recordProvenance(
  { lines, provenance }: ProvenanceRecorder,
  { rule }: PlatformAttribute,
  path: string,
  { layer, value, key }: Omit<FoundValue, 'shape'>,
): void {
  if (provenance === undefined) return
  const { line, column } = lines.positionAt(value.offset)
  provenance[path] = {
    from: layer.from,
    line,
    column,
    offset: value.offset,
    key: layer.prefix + key,
    section: rule.section,
  }
}

/** Lists every place that sets the attribute, with the reason why it counts or does not. */
export function candidatesFor(
  { platform, lines }: ProvenanceRecorder,
  attribute: PlatformAttribute,
  layers: readonly Layer[],
  winner: FoundValue | undefined,
): Candidate[] {
  const { section } = attribute.rule
  return layers.flatMap((layer) =>
    valuesIn(attribute, layer).map(({ key, value }) => {
      const { line, column } = lines.positionAt(value.offset)
      const place = { from: layer.from, line, column, offset: value.offset, key: layer.prefix + key, section }
      const wins = value === winner?.value
      const why = wins
        ? reasonToWin(layer)
        : !worksIn(attribute, layer)
          ? `does not work on ${platform} (pages-json §${section})`
          : countingShape(attribute, value) === undefined
            ? `${attribute.only ? `does not work on ${platform}` : 'has the wrong type'} (pages-json §${section})`
            : reasonToLose(place, winner)
      return { ...place, value: toJson(value), wins, why }
    }),
  )
}

function reasonToWin({ from }: Layer): string {
  return from === 'tabBar'
    ? 'the only place that can set it (pages-json §2.7)'
    : 'first in the order page, globalStyle, default (pages-json §1)'
}

function reasonToLose({ from, key }: { from: Layer['from']; key: string }, winner: FoundValue | undefined): string {
  const isOverriddenByH5 =
    winner?.layer.from === from &&
    !isAppPlusKey(firstKey(winner.layer.prefix)) &&
    isAppPlusKey(firstKey(key)) &&
    key.includes('.')
  return isOverriddenByH5
    ? 'h5 overrides app-plus (pages-json §2.10)'
    : 'later in the order page, globalStyle, default (pages-json §1)'
}

const firstKey = (path: string) => path.slice(0, Math.max(path.indexOf('.'), 0))
