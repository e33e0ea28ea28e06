import { Type } from 'typebox'
import { operation } from '../operation.ts'

const ops = { surface: 'ops', method: 'GET', auth: 'none', parameters: Type.Object({}), redact: [] } as const

/** Operations for monitoring tools and editors. */
export const opsOperations = {
  healthz: operation({
    ...ops,
    id: 'healthz',
    path: '/healthz',
    summary: 'Check that the process is alive',
    result: Type.Object({ status: Type.Literal('ok') }),
    errors: [],
  }),
  readyz: operation({
    ...ops,
    id: 'readyz',
    path: '/readyz',
    summary: 'Check that the process is ready: the database responds, and the process is not shutting down',
    result: Type.Object({ status: Type.Literal('ready') }),
    errors: ['unavailable'],
  }),
  openapi: operation({
    ...ops,
    id: 'openapi',
    path: '/openapi.json',
    summary: 'Get the OpenAPI 3.1 document',
    result: Type.Object({}, { additionalProperties: true }),
    errors: ['host_unknown'],
  }),
  pagesSchema: operation({
    ...ops,
    id: 'pagesSchema',
    path: '/pages.schema.json',
    summary: 'Get the JSON Schema of pages.json for all platforms, for editors',
    result: Type.Object({}, { additionalProperties: true }),
    errors: [],
  }),
  metrics: operation({
    ...ops,
    id: 'metrics',
    path: '/metrics',
    summary: 'Get metrics in the Prometheus text format',
    result: Type.String(),
    errors: [],
  }),
}
