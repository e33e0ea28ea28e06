/** The part of JSON Schema that the contract uses. */
export interface Schema {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  patternProperties?: Record<string, Schema>
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  contentMediaType?: string
  'x-allowed'?: string
}

export const surfaces = ['open', 'platform', 'host', 'console', 'ops'] as const
type SurfaceName = (typeof surfaces)[number]

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'body'
  required: boolean
  schema: Schema
}

/** Authentication scheme of an operation. */
type Proof = 'sign' | 'console' | 'apiKey' | 'hostSession' | 'accessToken' | 'none'

export interface ApiOperation {
  id: string
  surface: SurfaceName
  method: string
  path: string
  summary: string
  description: string
  parameters: Parameter[]
  /** Media type of the request body, if there is one. */
  mediaType: string | undefined
  proof: Proof
  /** Schema of a successful response; for the open API, of the envelope's `response`. */
  answer: Schema | undefined
  streams: boolean
  refusals: { status: string; codes: { code: string; text: string }[] }[]
}

interface Described {
  operationId: string
  tags: SurfaceName[]
  summary: string
  description?: string
  parameters?: { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  security?: Record<string, unknown>[]
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Described>>
}

/** Returns the operations of Souk's OpenAPI document, grouped by API. */
export function operationsOf(document: OpenApiDocument): ApiOperation[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(method.toUpperCase(), path, described)),
  )
  return surfaces.flatMap((surface) => all.filter((operation) => operation.surface === surface))
}

function operationOf(method: string, path: string, described: Described): ApiOperation {
  const contents = described.requestBody?.content ?? {}
  const hasFile = Object.values(contents).some(({ schema }) => schema.properties?.fileData)
  const mediaType = Object.keys(contents).find((type) => !hasFile || type.startsWith('multipart'))
  const body = mediaType ? contents[mediaType]?.schema : undefined
  const parameters: Parameter[] = [
    ...(described.parameters ?? []).map((one) => ({ ...one, required: one.required === true })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      name,
      schema,
      in: 'body' as const,
      required: body?.required?.includes(name) === true,
    })),
  ]
  const [good] = Object.entries(described.responses['200']?.content ?? {})
  const surface = described.tags[0] as SurfaceName
  return {
    id: described.operationId,
    surface,
    method,
    path,
    summary: described.summary,
    description: described.description ?? '',
    parameters,
    mediaType,
    proof: proofOf(described, parameters),
    answer: surface === 'open' ? good?.[1].schema.properties?.response : good?.[1].schema,
    streams: good?.[0] === 'text/event-stream',
    refusals: Object.entries(described.responses)
      .filter(([status]) => status !== '200')
      .map(([status, { description }]) => ({ status, codes: codesOf(description) })),
  }
}

function proofOf({ security = [] }: Described, parameters: readonly Parameter[]): Proof {
  const schemes = security.flatMap(Object.keys)
  if (schemes.includes('consoleSession') || schemes.includes('adminToken')) return 'console'
  if (schemes.includes('apiKey') || schemes.includes('token')) return 'apiKey'
  if (schemes.includes('hostSession')) return 'hostSession'
  const required = parameters.filter((one) => one.required).map(({ name }) => name)
  if (required.includes('sign')) return 'sign'
  return required.includes('accessToken') ? 'accessToken' : 'none'
}

/** Parses error descriptions, written as paragraphs of the form `` `code`: text ``. */
function codesOf(description: string): { code: string; text: string }[] {
  return description.split('\n\n').map((paragraph) => {
    const [, code = '', text = paragraph] = /^`([^`]+)`: ([\s\S]*)$/.exec(paragraph) ?? []
    return { code, text }
  })
}

/** Returns a short type name: `string`, `integer`, `list of string`, `1, 2, 3`. */
export function typeName(schema: Schema): string {
  if (schema.enum) return schema.enum.map(String).join(', ')
  if (schema.const !== undefined) return String(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ')
  if (schema.items) return `list of ${typeName(schema.items)}`
  if (schema.contentMediaType) return 'file'
  return schema.type ?? 'any'
}

export interface Field {
  name: string
  depth: number
  type: string
  description: string
}

/** Returns the fields of a response, nested ones after their parent. */
export function fieldsOf(schema: Schema, depth = 0): Field[] {
  const whole = insideOf(schema)
  return Object.entries(whole.properties ?? {}).flatMap(([name, field]) => [
    { name, depth, type: typeName(field), description: field.description ?? '' },
    ...(depth < 3 ? fieldsOf(field, depth + 1) : []),
  ])
}

/** Returns the item type of a list, or the non-null type of a nullable value. */
function insideOf(schema: Schema): Schema {
  if (schema.items) return insideOf(schema.items)
  const object = schema.anyOf?.find((one) => one.properties || one.items)
  return object ? insideOf(object) : schema
}
