import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ratio } from './report.ts'

/** The ratios of the last release by the name of their figure. */
type Ratios = Record<string, number>

const file = join(import.meta.dirname, 'lastRelease.json')
const maxDrop = 0.25

/** Stores the ratios of these figures, to compare later versions with. */
export async function recordRatios(figures: readonly Ratio[]): Promise<void> {
  const ratios = await readRatios()
  for (const { name, ratio } of figures) ratios[name] = Number(ratio.toFixed(2))
  await writeFile(file, `${JSON.stringify(ratios, null, 2)}\n`)
}

const readRatios = async () => JSON.parse(await readFile(file, 'utf8')) as Ratios

/**
 * Prints the ratios beside those of the last release and returns whether none has dropped by more than a quarter. The
 * upper quartile of the rounds must have dropped, because other work on the machine lowers single rounds.
 */
export async function compareWithLastRelease(figures: readonly Ratio[]): Promise<boolean> {
  const ratios = await readRatios()
  let isAsFast = true
  for (const { name, ratio, spread } of figures) {
    const before = ratios[name]
    if (before === undefined) continue
    const hasDropped = spread[1] < before * (1 - maxDrop)
    if (hasDropped) isAsFast = false
    const verdict = hasDropped ? `SLOWER by more than ${maxDrop * 100} %` : 'as fast'
    console.log(`${name}: ${ratio.toFixed(2)} (${before.toFixed(2)} in the last release), ${verdict}`)
  }
  return isAsFast
}
