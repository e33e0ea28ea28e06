/** One figure beside the floor that was measured in the same rounds. */
export interface Figure {
  name: string
  /** Per second, median of the rounds. */
  souk: number
  floor: number
  floorName: string
  /** Median of the ratios of each round: what both sides met in the same seconds cancels out. */
  ratio: number
  goal: number
  met: boolean
}

/** One figure with few and with many trades stored. */
export interface Growth {
  name: string
  small: number
  large: number
  ratio: number
  goal: number
  met: boolean
}

export interface Report {
  node: string
  cores: number
  model: string
  /** How many trades the small and the large installation hold. */
  trades: [small: number, large: number]
  rounds: number
  seconds: number
  figures: Figure[]
  growth: Growth[]
  memory: { peakMegabytes: number; goal: number; met: boolean }
}

const growthGoal = 0.9
const memoryGoal = 250

export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const medianRatio = (a: readonly number[], b: readonly number[]) =>
  medianOf(a.map((each, round) => each / (b[round] ?? Number.NaN)))

export function ratioTo(name: string, souk: number[], floor: number[], floorName: string, goal: number): Figure {
  const ratio = medianRatio(souk, floor)
  return { name, souk: medianOf(souk), floor: medianOf(floor), floorName, ratio, goal, met: ratio >= goal }
}

export function growth(name: string, small: number[], large: number[]): Growth {
  const ratio = medianRatio(large, small)
  return { name, small: medianOf(small), large: medianOf(large), ratio, goal: growthGoal, met: ratio >= growthGoal }
}

export function memory(bytes: number): Report['memory'] {
  const peakMegabytes = Math.round(bytes / 1e6)
  return { peakMegabytes, goal: memoryGoal, met: peakMegabytes < memoryGoal }
}

/** The report for a person. */
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
  const count = (value: number) => Math.round(value).toLocaleString('en')
  const line = (...cells: [string, string, string, string, string]) =>
    console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(30) : cell.padStart(16))).join(''))
  const verdict = (goalText: string, isMet: boolean) => `${goalText} ${isMet ? 'met' : 'MISSED'}`

  console.log(`Node ${node}, ${cores} cores (${model}); ${rounds} rounds of ${seconds} s, medians, per second\n`)
  line('beside its floor', 'Souk', 'floor', 'ratio', 'goal')
  for (const figure of figures) {
    line(
      figure.name,
      count(figure.souk),
      count(figure.floor),
      figure.ratio.toFixed(2),
      verdict(`≥ ${figure.goal}`, figure.met),
    )
    console.log(`  floor: ${figure.floorName}`)
  }
  console.log()
  line('trades stored', count(trades[0]), count(trades[1]), 'ratio', 'goal')
  for (const each of growths) {
    line(each.name, count(each.small), count(each.large), each.ratio.toFixed(2), verdict(`≥ ${each.goal}`, each.met))
  }
  console.log()
  line('resident memory, peak', `${peakMegabytes} MB`, '', '', verdict(`< ${goal} MB`, met))
}
