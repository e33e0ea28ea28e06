import { second } from '@souk/contract'

export type FaultKind = 'kill' | 'silence' | 'failover' | 'other'

/** A fault of the installation, which lasts until it is healed. */
export interface Fault {
  kind: FaultKind
  /** Arguments of deploy/ha/break, in order. */
  steps: string[][]
  /** Minimum time until it is healed, ms: long enough for clients to notice. */
  hold: number
  /** True if clients have errors until it is healed. */
  needsHealing?: boolean
  /** Programs that are killed in the same round, if the plan is dense. */
  kills?: KillWaves
}

/** Programs as arguments of deploy/ha/break: a machine, a slash and a program. */
export interface KillWaves {
  /** Programs killed together with the fault. */
  together: string[]
  /** Half of `hold` later, while the fault lasts. */
  meanwhile: string[]
  /** Programs of databases, killed when the fault is healed: two databases failing at once are another fault. */
  afterwards: string[]
}

export interface PlanOptions {
  /** Number of killed programs. */
  kills: number
  /** Number of programs and machines that fall silent, other than primaries. */
  silences: number
  /** Number of primaries that are replaced; every second one is silent. */
  failovers: number
  /** Number of slow networks, full disks and wrong clocks. */
  others: number
  /** True if programs are killed during and after the other faults, instead of between them. */
  dense: boolean
}

/** One program of each role at a time, so that another one of the role can take over. */
const killRounds = [
  ['api1/souk', 'worker1/souk', 'standby/postgres', 'db1/etcd'],
  ['api2/haproxy', 'worker2/souk', 'replica/patroni'],
  ['api3/souk', 'worker1/haproxy', 'replica/postgres', 'db2/etcd'],
  ['primary/postgres'],
  ['api1/haproxy', 'worker2/haproxy', 'standby/patroni', 'db3/etcd'],
  ['api2/souk', 'worker1/souk', 'primary/patroni'],
  ['balancer/haproxy'],
]

const silences = [
  ['stop', 'api1/souk'],
  ['cut', 'worker1'],
  ['cut', 'api2'],
  ['cut', 'standby'],
  ['stop', 'worker2/souk'],
  ['stop', 'primary/patroni'],
  ['stop', 'api3/haproxy'],
  ['cut', 'replica'],
  ['cut', 'api1', 'primary'],
  ['stop', 'db1/etcd'],
  ['stop', 'standby'],
  ['stop', 'worker1/haproxy'],
]

const failovers = [
  ['cut', 'primary'],
  ['kill', 'primary'],
  ['stop', 'primary'],
  ['kill', 'primary'],
]

const others = [
  ['skew', 'worker1', '+3'],
  ['slow', 'api1'],
  ['fill', 'primary'],
  ['skew', 'api2', '-3'],
  ['slow', 'standby'],
  ['fill', 'standby'],
  ['skew', 'primary', '+3'],
]

/** Maximum number of kills in one round of a dense plan. */
const killsPerRound = 16
/** Killed after a fault of a dense plan is healed, one list in each round. */
const databaseKills = [
  ['db1/etcd', 'replica/postgres'],
  ['db2/etcd', 'primary/patroni'],
  ['db3/etcd', 'standby/postgres'],
  ['db1/etcd', 'standby/patroni'],
  ['db2/etcd', 'primary/postgres'],
  ['db3/etcd', 'replica/patroni'],
]
const poolers = ['primary/pgbouncer', 'standby/pgbouncer', 'replica/pgbouncer']

/** Returns the faults in the order in which they are injected: all kinds mixed. */
export function planFaults(options: PlanOptions): Fault[] {
  return options.dense ? planDenseFaults(options) : mix([planKills(options.kills), ...planOthers(options)])
}

/** Spreads each kind evenly over the whole run. */
function mix(lists: Fault[][]): Fault[] {
  return lists
    .flatMap((faults) => faults.map((fault, index) => ({ fault, position: (index + 0.5) / faults.length })))
    .sort((a, b) => a.position - b.position)
    .map(({ fault }) => fault)
}

/** Spreads the kills evenly over the other faults, and adds rounds of kills only if there are more. */
function planDenseFaults(options: PlanOptions): Fault[] {
  const others = planOthers(options)
  const missing = Math.ceil(options.kills / killsPerRound) - others.flat().length
  const onlyKills: Fault[] = repeat([{ kind: 'kill', steps: [], hold: 2 * second }], Math.max(0, missing))
  const rounds = mix([onlyKills, ...others])
  const killsUntil = (round: number) => Math.floor((options.kills * round) / rounds.length)
  return rounds.map((fault, round) => ({
    ...fault,
    kills: planWaves(fault, round, killsUntil(round + 1) - killsUntil(round)),
  }))
}

/** Returns `count` programs to kill on machines that the fault does not break. */
function planWaves({ steps }: Fault, round: number, count: number): KillWaves {
  const broken = steps.flat().map((word) => word.split('/')[0]!)
  const turn = (machines: string[]) => {
    const working = machines.filter((machine) => !broken.includes(machine))
    return [working[round % working.length]!, working[(round + 1) % working.length]!] as const
  }
  const [api, otherApi] = turn(['api1', 'api2', 'api3'])
  const [worker, otherWorker] = turn(['worker1', 'worker2'])
  // Ordered so that a few kills already are of different roles, and those of databases are not the rare ones.
  const kills: [keyof KillWaves, string][] = [
    ['together', `${api}/souk`],
    ['together', `${worker}/souk`],
    ...databaseKills[round % databaseKills.length]!.map((program): [keyof KillWaves, string] => [
      'afterwards',
      program,
    ]),
    ['meanwhile', `${otherApi}/souk`],
    ['meanwhile', `${otherWorker}/souk`],
    ['together', 'balancer/haproxy'],
    ['together', `${otherWorker}/haproxy`],
    ['meanwhile', `${api}/haproxy`],
    ['afterwards', poolers[round % poolers.length]!],
    ['together', `${otherApi}/haproxy`],
    ['meanwhile', 'balancer/haproxy'],
    ['meanwhile', `${worker}/haproxy`],
    ['afterwards', poolers[(round + 1) % poolers.length]!],
    ['afterwards', poolers[(round + 2) % poolers.length]!],
    ['afterwards', `${api}/haproxy`],
  ]
  const waves: KillWaves = { together: [], meanwhile: [], afterwards: [] }
  for (const [wave, program] of kills.slice(0, count)) waves[wave].push(program)
  return waves
}

/** Returns all faults but kills, a list of each kind. */
function planOthers(options: PlanOptions): Fault[][] {
  const silent = 12 * second
  return [
    repeat(silences, options.silences).map((step) => ({ kind: 'silence', steps: [step], hold: silent })),
    repeat(failovers, options.failovers).map((step) => ({ kind: 'failover', steps: [step], hold: silent })),
    repeat(others, options.others).map((step) => ({
      kind: 'other',
      steps: [step],
      hold: silent,
      // Only an operator can make room.
      needsHealing: step.join(' ') === 'fill primary',
    })),
  ]
}

function planKills(count: number): Fault[] {
  const rounds: Fault[] = []
  for (let left = count, round = 0; left > 0; round++) {
    const targets = killRounds[round % killRounds.length]!.slice(0, left)
    rounds.push({ kind: 'kill', steps: targets.map((target) => ['kill', target]), hold: second })
    left -= targets.length
  }
  return rounds
}

function repeat<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => items[index % items.length]!)
}
