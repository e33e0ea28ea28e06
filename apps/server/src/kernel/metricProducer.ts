import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'

type CollectedMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]
/** `metricName` is in the values of histograms only. */
type Value = CollectedMetric['values'][number] & { metricName?: string }

/** Start and end of the period in which the values were counted. */
interface Times {
  startTime: HrTime
  endTime: HrTime
}

/**
 * Returns the metrics of a registry in the form of OpenTelemetry, so that both ways of monitoring read the same ones.
 */
export function metricProducer(registry: Registry): MetricProducer {
  const startTime = millisToHrTime(Math.round(performance.timeOrigin))
  return {
    async collect() {
      const collected = await registry.getMetricsAsJSON()
      const times = { startTime, endTime: millisToHrTime(Date.now()) }
      const metrics = collected.filter(({ values }) => values.length > 0).map((metric) => convert(metric, times))
      const resourceMetrics = { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'souk' }, metrics }] }
      return { resourceMetrics, errors: [] }
    },
  }
}

function convert(metric: CollectedMetric, times: Times): MetricData {
  const { name, help, values } = metric
  const common = {
    // The unit is part of the name.
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (isOfType(metric, 'histogram')) {
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(values, times) }
  }
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: toAttributes(labels), value }))
  if (isOfType(metric, 'counter')) {
    return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  }
  return { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Compares the type by name: prom-client declares an enum, but does not export it. */
function isOfType({ type }: CollectedMetric, name: string): boolean {
  return String(type) === name
}

function toAttributes(labels: Value['labels']): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
}

/** Converts buckets, which each include the smaller ones, with the sum and the count that follow them. */
function toHistograms(values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const points: DataPoint<Histogram>[] = []
  let boundaries: number[] = []
  let counts: number[] = []
  let below = 0
  let sum = 0
  for (const { metricName = '', labels, value } of values) {
    if (metricName.endsWith('_bucket')) {
      const { le } = labels as { le: number | string }
      if (le !== '+Inf') boundaries.push(Number(le))
      counts.push(value - below)
      below = value
    } else if (metricName.endsWith('_sum')) {
      sum = value
    } else {
      const attributes = toAttributes(labels)
      points.push({ ...times, attributes, value: { buckets: { boundaries, counts }, sum, count: value } })
      boundaries = []
      counts = []
      below = 0
    }
  }
  return points
}
