import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { operations, providerNames } from '@souk/contract'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { measureInstallation } from '../src/domain/operations/index.ts'
import { createMetrics } from '../src/kernel/metrics.ts'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string; refId: string }[]
}

/** A metric in a query, with the values that its labels are compared with. */
interface Selector {
  metric: string
  labels: { name: string; value: string }[]
}

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'deploy/monitoring')
const guide = readFileSync(join(root, 'docs/guides/monitoring.md'), 'utf8')
const rules: Rule[] = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')).groups[0].rules
const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'))
const panels: Panel[] = dashboard.panels
const targets = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })))

/** The labels that a query can use, by the metric's name in queries: histograms have several. */
const labelsByMetric = new Map([['up', ['job', 'instance']]])
const metrics = createMetrics()
measureInstallation({ metrics } as Parameters<typeof measureInstallation>[0])
const described = metrics.registry.getMetricsAsArray().map((metric) => {
  const { name, help, type, labelNames } = metric as typeof metric & { labelNames: string[] }
  return { name, help, isHistogram: String(type) === 'histogram', labelNames: labelNames.filter((it) => it !== 'le') }
})
for (const { name, isHistogram, labelNames } of described) {
  const all = [...labelNames, 'job', 'instance']
  if (!isHistogram) labelsByMetric.set(name, all)
  else for (const part of ['bucket', 'sum', 'count']) labelsByMetric.set(`${name}_${part}`, [...all, 'le'])
}

/** Purposes of requests that no payment provider receives. */
const otherPurposes = ['callback', 'event', 'identity', 'doctor']

/** All values of labels that are the same in each installation. */
const valuesByLabel: Record<string, readonly string[]> = {
  operation: operations.map(({ id }) => id),
  surface: operations.map(({ surface }) => surface),
  purpose: [...providerNames, ...otherPurposes],
  queue: ['callback', 'event'],
  state: ['failing', 'paused', 'probing', 'added', 'old'],
  outcome: ['2xx', '3xx', '4xx', '5xx', 'error'],
  succeeded: ['true', 'false'],
  acknowledged: ['true', 'false'],
  job: ['souk'],
}

/** Parses a query with the grammar of Prometheus. Variables of Grafana are replaced. */
function selectorsOf(query: string): { selectors: Selector[]; groupings: string[]; isValid: boolean } {
  const text = query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', 'any')
  const selectors: Selector[] = []
  const groupings: string[] = []
  let isValid = true
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) isValid = false
      if (type.name === 'GroupingLabels') {
        groupings.push(...node.getChildren('LabelName').map((label) => text.slice(label.from, label.to)))
      }
      if (type.name !== 'VectorSelector') return
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
      const labels = matchers.map((matcher) => {
        const [name, value] = ['LabelName', 'StringLiteral'].map((part) => matcher.getChild(part)!)
        return { name: text.slice(name!.from, name!.to), value: text.slice(value!.from + 1, value!.to - 1) }
      })
      const metric = node.getChild('Identifier')
      selectors.push({ metric: metric ? text.slice(metric.from, metric.to) : text.slice(from, to), labels })
    },
  })
  return { selectors, groupings, isValid }
}

const queries = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr })),
  ...targets.map(({ title, refId, expr }) => ({ name: `${title} ${refId}`, expr })),
]

describe.each(queries)('the query of $name', ({ expr }) => {
  const { selectors, groupings, isValid } = selectorsOf(expr)

  test('is valid and uses metrics and labels that exist', () => {
    expect(isValid).toBe(true)
    expect(selectors.length).toBeGreaterThan(0)
    for (const { metric, labels } of selectors) {
      expect([...labelsByMetric.keys()]).toContain(metric)
      for (const name of [...labels.map((label) => label.name), ...groupings]) {
        expect(labelsByMetric.get(metric)).toContain(name)
      }
    }
  })

  test('compares labels with values that exist', () => {
    for (const { name, value } of selectors.flatMap(({ labels }) => labels)) {
      const known = valuesByLabel[name]
      if (known) for (const each of value.split('|')) expect(known).toContain(each)
    }
  })
})

test('queries of payment providers exclude all other purposes', () => {
  const excluded = queries.flatMap(({ expr }) => [...expr.matchAll(/purpose!~"(.*?)"/g)].map(([, values]) => values))
  expect(excluded).toEqual(Array(4).fill(otherPurposes.join('|')))
  const sources = globSync('apps/server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const named = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bpurpose: '(\w+)'/g)].map(([, purpose]) => purpose!),
  )
  expect(new Set(named).difference(new Set<string>(providerNames))).toEqual(new Set(otherPurposes))
})

test('each alert has a severity, a summary, and a section in the guide that says what to do', () => {
  const sections = [...guide.matchAll(/^### (Souk\w+)$/gm)].map(([, title]) => title!)
  expect(sections).toEqual(rules.map(({ alert }) => alert))
  for (const { alert, labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/\w/)
    expect(annotations.runbook).toBe(`docs/guides/monitoring.md#${alert.toLowerCase()}`)
  }
})

test('every metric of Souk is in the guide, with its labels and its meaning', () => {
  const rows = [...guide.matchAll(/^\| `(souk_\w+)` \| (.*?) \| (.*?) \|$/gm)].map(([, ...cells]) => cells)
  const expected = described
    .filter(({ name }) => name.startsWith('souk_'))
    .map(({ name, labelNames, help }) => [name, labelNames.map((label) => `\`${label}\``).join(', ') || '–', help])
  expect(rows).toEqual(expected)
})

test('every metric of Souk is in the dashboard', () => {
  const shown = new Set(targets.flatMap(({ expr }) => selectorsOf(expr).selectors.map(({ metric }) => metric)))
  const missing = described.filter(({ name, isHistogram }) => {
    return name.startsWith('souk_') && !shown.has(isHistogram ? `${name}_bucket` : name)
  })
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('panels of the dashboard have their own place and id, and legends name labels that remain', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  for (const { expr, legendFormat } of targets) {
    const { selectors, groupings } = selectorsOf(expr)
    const isAggregate = /\b(sum|max|min)\b/.test(expr)
    const available = isAggregate ? groupings : selectors.flatMap(({ metric }) => labelsByMetric.get(metric)!)
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(available).toContain(label)
  }
})

test('a quantile that an alert compares is a bucket, since Prometheus guesses quantiles within one', () => {
  const compared = rules.flatMap(({ expr }) => {
    const [, name, limit] = /histogram_quantile\(.*rate\((\w+)_bucket.*> ([\d.]+)/s.exec(expr) ?? []
    return name === undefined ? [] : [{ name, limit: Number(limit) }]
  })
  expect(compared).toHaveLength(1)
  for (const { name, limit } of compared) {
    const { buckets } = metrics.registry.getSingleMetric(name) as unknown as { buckets: number[] }
    expect(buckets).toContain(limit)
  }
})

test('queries subtract the lag of the event loop that a process at rest reports', async () => {
  const { registry } = createMetrics()
  const lagAtRest = async () => Number(/^nodejs_eventloop_lag_min_seconds (.*)$/m.exec(await registry.metrics())?.[1])
  // Each reading begins a new measurement.
  await expect.poll(lagAtRest, { interval: 1500 }).toBeCloseTo(1, 0)
  const lags = queries.filter(({ expr }) => expr.includes('nodejs_eventloop_lag'))
  expect(lags.map(({ expr }) => /\} - (\S+)/.exec(expr)?.[1])).toEqual(['1', '1'])
})

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined

test('the rules pass their tests in Prometheus', ({ skip }) => {
  if (!hasPromtool) skip('promtool is not installed (Debian: apt-get install prometheus)')
  const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' })
  expect(promtool('check', 'rules', 'alerts.yaml')).toContain(`SUCCESS: ${rules.length} rules found`)
  expect(promtool('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS')
})
