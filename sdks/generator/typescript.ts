import type { EnumerationValue } from '../../packages/contract/src/enumerations.ts'
import type { Call, Description, Field, Type } from './model.ts'
import { camelCase, generatedNote, sentence, wrap } from './text.ts'

const width = 120

/** Returns `operations.generated.ts`: the types of the parameters and results of the open API. */
export function typescriptTypes(description: Description): string {
  const types = description.open.flatMap((call) => {
    const { parametersType, parameters } = call
    const { owned } = resultOf(call, description)
    const defaults = defaultsOf(call)
    const given = Object.entries(defaults).filter(([name]) => !parameters.some((parameter) => parameter.name === name))
    const fields = [
      ...parameters.map((parameter) => {
        const isRequired = parameter.required && !(parameter.name in defaults)
        const type = typeOf(parameter.type, `ParametersOf<typeof openOperations.${call.name}>['${parameter.name}']`)
        return property(parameter, isRequired ? type : `${type} | undefined`, isRequired)
      }),
      ...given.map(([name, value]) => `  /** Default: ${value}. */\n  ${name}?: ${value} | undefined`),
    ]
    return [
      ...(positionalOf(call) || parameters.length === 0
        ? []
        : [objectType(parametersType.name, parametersType.description, fields)]),
      ...(owned
        ? [
            objectType(
              owned.name,
              owned.description,
              owned.fields.map((field) => property(field, resultType(field, call.name), true)),
            ),
          ]
        : []),
    ]
  })
  const text = types.join('\n\n')
  const used = description.enumerations.map(({ name }) => name).filter((name) => text.split(/\W+/).includes(name))
  const contract = ['openOperations', ...['ParametersOf', 'ResultOf'].filter((name) => text.includes(`${name}<`))]
  return `// ${generatedNote}

${contract.length > 1 ? `import type { ${contract.join(', ')} } from '@souk/contract'\n` : ''}import type {
${used
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './enums.generated.ts'

${text}
`
}

/** Returns `enums.generated.ts`: the values of enumerations and the codes of errors. */
export function typescriptEnums({ enumerations, errorCodes }: Description): string {
  const declarations = enumerations.map(({ name, description, values }) => {
    const constant = camelCase(name)
    return `${constants(constant, `${sentence(description)} Results keep unknown values.`, values)}
export type ${name} = (typeof ${constant})[keyof typeof ${constant}]`
  })
  const codes = errorCodes.map((code) => ({ ...code, name: camelCase(code.name) }))
  return `// ${generatedNote}

${declarations.join('\n\n')}

${constants('errorCode', 'Codes of errors, which a `SoukApiError` has as `code`. Servers may return others.', codes)}
`
}

function constants(name: string, description: string, values: readonly EnumerationValue[]): string {
  const lines = values.map(({ name, value, description }) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const text = typeof value === 'number' ? value : `'${value}'`
    return `${comment(sentence(description), '  ')}\n  ${key}: ${text},`
  })
  return `${comment(description, '')}\nexport const ${name} = {\n${lines.join('\n')}\n} as const`
}

/** Returns the declaration of a type. Unlike an interface, it can be passed as a record of parameters. */
function objectType(name: string, description: string, properties: readonly string[]): string {
  return `${comment(description, '')}\nexport type ${name} = {\n${properties.join('\n')}\n}`
}

function property({ name, description }: Field, type: string, isRequired: boolean): string {
  return `${description ? `${comment(sentence(description), '  ')}\n` : ''}  ${name}${isRequired ? '' : '?'}: ${type}`
}

function resultType({ name, type, only }: Field, operation: string): string {
  if (only !== undefined) return typeof only === 'number' ? `${only}` : `'${only}'`
  return typeOf(type, `ResultOf<typeof openOperations.${operation}>['${name}']`)
}

const scalars = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' }

/** Returns a type; `declared` is its expression in the contract, for objects and what contains them. */
function typeOf(type: Type, declared: string): string {
  if (type.kind === 'list') {
    const item = typeOf(type.of, '')
    return item === '' || type.nullable ? declared : `readonly ${item}[]`
  }
  const name = type.enumeration ?? (type.kind in scalars ? scalars[type.kind as 'string'] : undefined)
  return name === undefined ? declared : type.nullable ? `${name} | null` : name
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

function comment(text: string, indent: string): string {
  const safe = text.replaceAll('*/', '*\\/')
  if (indent.length + safe.length + 7 <= width) return `${indent}/** ${safe} */`
  const lines = wrap(safe, width - indent.length - 3)
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n')
}
