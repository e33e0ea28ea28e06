import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { planFaults } from './faults.ts'
import { Observer } from './observer.ts'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../../../../deploy/ha')

test('a rehearsal injects exactly the requested number of faults, and mixes their kinds', () => {
  const plan = planFaults({ kills: 100, silences: 12, failovers: 20, others: 7, dense: false })
  const countOf = (kind: string) =>
    plan.filter((fault) => fault.kind === kind).reduce((sum, { steps }) => sum + steps.length, 0)
  expect(['kill', 'silence', 'failover', 'other'].map(countOf)).toEqual([100, 12, 20, 7])
  const silent = plan.filter(({ kind, steps }) => kind === 'failover' && steps[0]![0] !== 'kill')
  expect(silent).toHaveLength(10)
  const half = plan.slice(0, plan.length / 2)
  expect(half.filter(({ kind }) => kind === 'failover')).toHaveLength(10)
})

test('a dense rehearsal kills exactly as many programs, at most 16 in a round and none on a broken machine', () => {
  const plan = planFaults({ kills: 1_000, silences: 12, failovers: 100, others: 7, dense: true })
  const killed = plan.map(({ kills }) => Object.values(kills!).flat() as string[])
  expect(killed.flat()).toHaveLength(1_000)
  expect(Math.max(...killed.map((programs) => programs.length))).toBeLessThanOrEqual(16)
  expect(plan.filter(({ kind }) => kind === 'failover')).toHaveLength(100)
  expect(plan).toHaveLength(119)
  for (const { steps, kills } of plan) {
    const broken = steps.map(([, target]) => target!.split('/')[0]!)
    for (const program of [...kills!.together, ...kills!.meanwhile]) {
      expect(broken).not.toContain(program.split('/')[0])
      // A database that fails while another one is down would leave no majority.
      expect(program).not.toMatch(/^(db|primary|standby|replica)/)
    }
  }
})

test('a dense rehearsal with more kills than its faults can take has rounds of kills only', () => {
  const plan = planFaults({ kills: 40, silences: 0, failovers: 1, others: 0, dense: true })
  expect(plan.map(({ kind }) => kind).sort()).toEqual(['failover', 'kill', 'kill'])
  expect(plan.flatMap(({ kills }) => Object.values(kills!).flat())).toHaveLength(40)
})

test('failures that follow each other closely are one error window', () => {
  const observer = new Observer()
  const failed = (started: number, ended: number) => observer.failures.push({ started, ended })
  failed(1_000, 2_000)
  failed(4_000, 9_000)
  failed(4_500, 5_000)
  failed(20_000, 20_100)
  expect(observer.windows(0, Infinity)).toEqual([
    { from: 1_000, to: 9_000, failures: 3 },
    { from: 20_000, to: 20_100, failures: 1 },
  ])
  expect(observer.windows(10_000, 19_000)).toEqual([])
})

test.for(['up', 'down', 'status', 'break', 'heal', 'upgrade'])('deploy/ha/%s explains itself', async (name) => {
  const { stdout } = await run(join(folder, name), ['--help'])
  expect(stdout).toContain(`usage: deploy/ha/${name}`)
  expect(stdout).not.toContain('set -euo')
})

test.for([
  [['up', '--nope'], '"--nope" is not an option'],
  [['down', 'db1'], '"db1" is not an option'],
  [['break', 'kill'], 'usage: deploy/ha/break'],
  [['upgrade'], 'usage: deploy/ha/upgrade'],
] as const)('%j is refused with the reason and status 2', async ([[name, ...args], reason]) => {
  await expect(run(join(folder, name), args)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(reason),
  })
})
