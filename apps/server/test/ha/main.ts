import { parseArgs } from 'node:util'
import { minute, second } from '@souk/contract'
import { takeDownNow } from './installation.ts'
import { type Rehearsal, rehearse } from './rehearse.ts'

const help = `Brings up the installation of deploy/ha, breaks it under load, and compares what clients were told with trades, events,
callbacks, the ledger and the books of the fake providers.

usage: npm run rehearse -- [options]

  --kills N      programs that are killed                           (default 100)
  --silences N   programs and machines that fall silent              (default 12)
  --failovers N  primaries that are replaced, every second silent    (default 20)
  --others N     slow networks, full disks, wrong clocks              (default 7)
  --dense        kill up to 16 programs during and after each of the other faults, instead of between them
  --minutes N    end the faults after so many minutes, and compare    (default: all of them)
  --no-upgrade   without the upgrade of all Souk processes
  --short        4 kills, 1 silence, 1 silent fail-over, the upgrade; 6 minutes
  --users N      concurrent users                                     (default 6)
  --seed N       of the traffic
  --keep         leave the installation up, to look at its logs
  --if-possible  exit with status 0 if this machine cannot run it
  --json         print the report as JSON

Progress is on stderr. Ctrl-C ends the faults after the current round and compares; a second one takes the installation
down at once. The exit status is 1 if anything acknowledged was lost, anything happened twice, or clients had errors for
30 s or longer.`

/** The longest acceptable error window, ms. */
const maxErrorWindow = 30 * second

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    silences: { type: 'string' },
    failovers: { type: 'string' },
    others: { type: 'string' },
    dense: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    'no-upgrade': { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    users: { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'boolean', default: false },
    'if-possible': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) {
  console.log(help)
} else {
  const { short } = values
  const seed = count('seed', Date.now() % 1_000_000)
  const began = performance.now()
  const log = (text: string) =>
    console.error(`${((performance.now() - began) / second).toFixed(0).padStart(4)} s  ${text}`)
  log(`seed ${seed}`)
  const interrupt = new AbortController()
  const abandon = () => {
    takeDownNow()
    process.exit(1)
  }
  process.once('SIGTERM', abandon)
  process.once('SIGINT', () => {
    log('ending after this round; a second Ctrl-C takes the installation down at once')
    interrupt.abort()
    process.once('SIGINT', abandon)
  })
  const minutes = count('minutes', 0)
  try {
    const report = await rehearse({
      kills: count('kills', short ? 4 : 100),
      silences: count('silences', short ? 1 : 12),
      failovers: count('failovers', short ? 1 : 20),
      others: count('others', short ? 0 : 7),
      dense: values.dense,
      stop: minutes > 0 ? AbortSignal.any([interrupt.signal, AbortSignal.timeout(minutes * minute)]) : interrupt.signal,
      upgrade: !values['no-upgrade'],
      users: count('users', 6),
      seed,
      keep: values.keep,
      log,
    })
    log('done')
    console.log(values.json ? JSON.stringify(report, null, 2) : format(report))
    process.exitCode = report.violations.length > 0 || report.worstErrorWindow >= maxErrorWindow ? 1 : 0
  } catch (error) {
    const { code, stderr } = error as { code?: number; stderr?: string }
    // up exits with this status before it changes anything.
    const isImpossible = code === 3
    console.error(isImpossible ? `The rehearsal cannot run here. ${stderr}` : error)
    process.exitCode = isImpossible && values['if-possible'] ? 0 : 1
  }
}

type Count = 'kills' | 'silences' | 'failovers' | 'others' | 'minutes' | 'users' | 'seed'

function count(name: Count, fallback: number): number {
  const value = Number(values[name] ?? fallback)
  if (Number.isInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number, not "${values[name]}".`)
  process.exit(2)
}

function format(report: Rehearsal): string {
  const seconds = (ms: number) => `${(ms / second).toFixed(1)} s`
  const list = (record: Record<string, number>) =>
    Object.entries(record)
      .map(([name, number]) => `${number} ${name}`)
      .join(', ')
  return [
    `faults                ${list(report.injected)} in ${(report.duration / minute).toFixed(1)} min`,
    `requests              ${report.requests}, of which ${report.failedRequests} failed`,
    `acknowledged          ${report.acknowledged}`,
    `lost                  ${report.lost}`,
    `doubled               ${report.doubled}`,
    `worst error window    ${seconds(report.worstErrorWindow)}`,
    `worst callback delay  ${seconds(report.worstCallbackDelay)}`,
    `final state           ${list(report.figures)}`,
    ...report.unexpected.map((text) => `unexpected response: ${text}`),
    ...report.violations.map((text) => `VIOLATION: ${text}`),
  ].join('\n')
}
