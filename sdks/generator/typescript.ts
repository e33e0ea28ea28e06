import type { Call, Description } from './model.ts'
import { generatedNote, wrap } from './text.ts'

const width = 120

/** Returns `operations.generated.ts`: the types of the parameters and results of the open API. */
export function typescriptTypes(description: Description): string {
  const types = description.open.flatMap((call) => {
    const { name, parametersType } = call
    const { owned } = resultOf(call, description)
    const defaults = Object.entries(defaultsOf(call)).map(
      ([parameter, value]) => `\`${parameter}\` defaults to ${value}.`,
    )
    const names = { omitted: union(Object.keys(constantsOf(call))), optional: union(Object.keys(defaultsOf(call))) }
    return [
      ...(positionalOf(call) || call.parameters.length === 0
        ? []
        : [
            `${comment([parametersType.description, ...defaults].join(' '), '')}
export type ${parametersType.name} = ParametersOf<'${name}', ${names.omitted}, ${names.optional}>`,
          ]),
      ...(owned ? [`${comment(owned.description, '')}\nexport type ${owned.name} = Result<'${name}'>`] : []),
    ]
  })
  return `// ${generatedNote}

import type { ParametersOf, Result } from './operations.ts'

${types.join('\n\n')}
`
}

/** Returns `version.generated.ts`. */
export function typescriptVersion({ version }: Description): string {
  return `// ${generatedNote}

/** Version of the client. */
export const version = '${version}'
`
}

/** Returns `openOperations.generated.ts`: a method per operation of the open API. */
export function typescriptOperations(description: Description): string {
  const calls = description.open.filter(({ place }) => place !== 'multipart')
  const types = calls.flatMap((call) => [
    ...(positionalOf(call) || call.parameters.length === 0 ? [] : [call.parametersType.name]),
    resultOf(call, description).type,
  ])
  const imported = [...new Set(types)].filter((type) => /^\w+$/.test(type) && type !== 'boolean').sort()
  const usesResult = types.some((type) => type.startsWith('Result<'))
  return `// ${generatedNote}

import type { Send } from './http.ts'
import type {
${imported.map((type) => `  ${type},`).join('\n')}
} from './operations.generated.ts'
${usesResult ? "import type { Result } from './operations.ts'\n" : ''}import type { CallOptions } from './transport.ts'

/** The operations of the open API that take no file. */
export class OpenOperations {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

${calls.map((call) => method(call, resultOf(call, description).type)).join('\n\n')}
}
`
}

/** Returns `platformOperations.generated.ts`: a method per operation of the platform data API that returns JSON. */
export function typescriptPlatform({ platform }: Description): string {
  const calls = platform.filter(({ result }) => result.kind !== 'stream')
  return `// ${generatedNote}

import type { PlatformCall, PlatformParameters, PlatformResult } from './platformCall.ts'
import type { CallOptions } from './transport.ts'

/** The operations of the platform data API, except the export. */
export class PlatformOperations {
  readonly #call: PlatformCall

  constructor(call: PlatformCall) {
    this.#call = call
  }

${calls.map(platformMethod).join('\n\n')}
}
`
}

function platformMethod({ name, summary, parameters }: Call): string {
  const isOptional = parameters.every(({ required }) => !required)
  const object = `parameters: PlatformParameters<'${name}'>${isOptional ? ' = {}' : ''}`
  const listed = [...(parameters.length === 0 ? [] : [object]), 'options?: CallOptions']
  const result = `Promise<PlatformResult<'${name}'>>`
  const line = `  async ${name}(${listed.join(', ')}): ${result} {`
  const head = line.length <= width ? line : `  async ${name}(\n    ${listed.join(',\n    ')},\n  ): ${result} {`
  return `${comment(summary, '  ')}
${head}
    return this.#call('${name}', ${parameters.length === 0 ? '{}' : 'parameters'}, options)
  }`
}

function method(call: Call, result: string): string {
  const { name, summary, parametersType } = call
  const positional = positionalOf(call)
  const constants = Object.entries(constantsOf(call)).map(([parameter, value]) => `${parameter}: ${value}`)
  const defaults = defaultsOf(call)
  const names = Object.keys(defaults)
  const head = positional
    ? `${positional.name}: string, `
    : call.parameters.length === 0
      ? ''
      : `parameters: ${parametersType.name}, `
  const added = [...constants, ...names]
  const rest = names.length > 0 ? 'rest' : 'parameters'
  const sent =
    call.parameters.length === 0 || positional
      ? `{ ${[...added, ...(positional ? [positional.name] : [])].join(', ')} }`
      : added.length > 0
        ? `{ ${added.join(', ')}, ...${rest} }`
        : rest
  const destructured = names.map((parameter) => `${parameter} = ${defaults[parameter]}`).join(', ')
  return `${comment(summary, '  ')}
  async ${name}(${head}options?: CallOptions): Promise<${result}> {
${names.length > 0 ? `    const { ${destructured}, ...rest } = parameters\n` : ''}    return this.#send('${name}', ${sent}, options)
  }`
}

/** Returns the only parameter of a call if it is a required text, which methods take as it is. */
function positionalOf({ parameters, defaults, fixed }: Call) {
  const [only] = parameters
  const isOnly = parameters.length === 1 && only?.required && only.type.kind === 'string'
  return isOnly && Object.keys({ ...defaults, ...fixed }).length === 0 ? only : undefined
}

/** Returns the values of parameters that callers do not pass. */
function constantsOf({ fixed }: Call): Record<string, string> {
  return literals(Object.entries(fixed).filter(([, value]) => typeof value === 'string'))
}

/** Returns the values of parameters that callers may omit. A fixed number may get other values in the future. */
function defaultsOf({ fixed, defaults }: Call): Record<string, string> {
  return literals([
    ...Object.entries(defaults),
    ...Object.entries(fixed).filter(([, value]) => typeof value === 'number'),
  ])
}

function literals(entries: readonly (readonly [string, string | number])[]): Record<string, string> {
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? `${value}` : `'${value}'`]),
  )
}

/** Returns the type of a result, and its model if this call is the first one that returns it. */
function resultOf({ name, result }: Call, { open, models }: Description) {
  if (result.kind === 'boolean' && !result.nullable) return { type: 'boolean' }
  const model =
    result.kind === 'model' && !result.nullable ? models.find((each) => each.name === result.name) : undefined
  const owner = open.find((call) => call.result.kind === 'model' && call.result.name === model?.name)
  return model && owner?.name === name ? { type: model.name, owned: model } : { type: `Result<'${name}'>` }
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ')
}

function comment(text: string, indent: string): string {
  const safe = text.replaceAll('*/', '*\\/')
  if (indent.length + safe.length + 7 <= width) return `${indent}/** ${safe} */`
  const lines = wrap(safe, width - indent.length - 3)
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n')
}
