/** A figure and the baseline measured in the same rounds. */
export interface Figure {
  name: string
  /** Per second, median of the rounds. */
  souk: number
  baseline: number
  baselineName: string
  /** Median of the ratios per round, in which noise that affects both sides cancels out. */
  ratio: number
  spread: Spread
  goal: number
  met: boolean
}

/** Interquartile range of the ratios. It is wide if the machine was busy. */
export type Spread = [low: number, high: number]

/** A figure with few and with many stored trades. */
export interface Growth {
  name: string
  small: number
  large: number
  ratio: number
  spread: Spread
  goal: number
  met: boolean
}

export interface Report {
  node: string
  cores: number
  model: string
  /** Number of trades in the small and the large installation. */
  trades: [small: number, large: number]
  rounds: number
  seconds: number
  figures: Figure[]
  growth: Growth[]
  memory: { peakMegabytes: number; goal: number; met: boolean }
}

const growthGoal = 0.95
const memoryGoal = 185

export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** A ratio that drops when Souk gets slower or larger. */
export type Ratio = Pick<Figure, 'name' | 'ratio' | 'spread'>

/** Compares the rounds of two programs: the median of `a / b`, and its spread. */
export function compareRounds(a: readonly number[], b: readonly number[], goal: number) {
  const ratios = a.map((each, round) => each / (b[round] ?? Number.NaN)).sort((x, y) => x - y)
  const at = (share: number) => ratios[Math.round((ratios.length - 1) * share)] ?? Number.NaN
  const spread: Spread = [at(0.25), at(0.75)]
  const ratio = medianOf(ratios)
  return { ratio, spread, goal, met: ratio >= goal }
}

/** Compares times or sizes: the median of `peer / souk`, which drops when Souk gets slower or larger. */
export function inverseRatio(name: string, souk: readonly number[], peer: readonly number[]): Ratio {
  const { ratio, spread } = compareRounds(peer, souk, 0)
  return { name, ratio, spread }
}

export function ratioTo(name: string, souk: number[], baseline: number[], baselineName: string, goal: number): Figure {
  return {
    name,
    souk: medianOf(souk),
    baseline: medianOf(baseline),
    baselineName,
    ...compareRounds(souk, baseline, goal),
  }
}

export function growth(name: string, small: number[], large: number[]): Growth {
  return { name, small: medianOf(small), large: medianOf(large), ...compareRounds(large, small, growthGoal) }
}

export function memory(bytes: number): Report['memory'] {
  const peakMegabytes = Math.round(bytes / 1e6)
  return { peakMegabytes, goal: memoryGoal, met: peakMegabytes < memoryGoal }
}

const count = (value: number) => Math.round(value).toLocaleString('en')
const line = (...cells: [string, string, string, string, string]) =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(30) : cell.padStart(21))).join(''))
const shown = ({ ratio, spread: [low, high] }: { ratio: number; spread: Spread }) =>
  `${ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
const verdict = (goalText: string, isMet: boolean) => `${goalText} ${isMet ? 'met' : 'MISSED'}`

/** Prints figures with their baselines. */
export function printFigures(figures: readonly Figure[]): void {
  line('compared with its baseline', 'Souk', 'baseline', 'ratio', 'goal')
  for (const figure of figures) {
    line(
      figure.name,
      count(figure.souk),
      count(figure.baseline),
      shown(figure),
      verdict(`≥ ${figure.goal}`, figure.met),
    )
    console.log(`  baseline: ${figure.baselineName}`)
  }
}

/** Prints the report of the open API. */
export function print({
  node,
  cores,
  model,
  trades,
  rounds,
  seconds,
  figures,
  growth: growths,
  memory: { peakMegabytes, goal, met },
}: Report): void {
  console.log(`Node ${node}, ${cores} cores (${model}); ${rounds} rounds of ${seconds} s, medians, per second\n`)
  printFigures(figures)
  console.log()
  line('trades stored', count(trades[0]), count(trades[1]), 'ratio', 'goal')
  for (const each of growths) {
    line(each.name, count(each.small), count(each.large), shown(each), verdict(`≥ ${each.goal}`, each.met))
  }
  console.log()
  line('resident memory, peak', `${peakMegabytes} MB`, '', '', verdict(`< ${goal} MB`, met))
}
