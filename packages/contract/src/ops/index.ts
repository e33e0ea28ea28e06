import { Type } from 'typebox'
import { operation } from '../operation.ts'

const ops = { surface: 'ops', method: 'GET', auth: 'none', parameters: Type.Object({}), redact: [] } as const

/** What an operator's tools ask. */
export const opsOperations = {
  healthz: operation({
    ...ops,
    id: 'healthz',
    path: '/healthz',
    summary: 'The process is alive',
    result: Type.Object({ status: Type.Literal('ok') }),
    errors: [],
  }),
  readyz: operation({
    ...ops,
    id: 'readyz',
    path: '/readyz',
    summary: 'The process can serve: the database answers and it is not draining',
    result: Type.Object({ status: Type.Literal('ready') }),
    errors: ['unavailable'],
  }),
  openapi: operation({
    ...ops,
    id: 'openapi',
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    result: Type.Object({}, { additionalProperties: true }),
    errors: [],
  }),
  metrics: operation({
    ...ops,
    id: 'metrics',
    path: '/metrics',
    summary: 'Figures in the text format of Prometheus',
    result: Type.String(),
    errors: [],
  }),
}
