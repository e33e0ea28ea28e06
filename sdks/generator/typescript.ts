import type { EnumerationValue } from '../../packages/contract/src/enumerations.ts'
import type { Call, Description, Field, Type } from './model.ts'
import { camelCase, generatedNote, sentence, wrap } from './text.ts'

const width = 120

/** Returns `operations.generated.ts`: the types of the parameters and results of both APIs. */
export function typescriptTypes(description: Description): string {
  const { open, platform, models, enumerations } = description
  const written = new Set<string>()
  /** Returns the models in a type that are not written yet; `declared` is the type in the contract. */
  const modelsIn = (type: Type, given: string): string[] => {
    const declared = type.nullable ? `NonNullable<${given}>` : given
    if (type.kind === 'list') return modelsIn(type.of, `${declared}[number]`)
    if (type.kind === 'page') return modelsIn(type.of, `${declared}['items'][number]`)
    const model = models.find(({ name }) => type.kind === 'model' && name === type.name)
    if (!model || written.has(model.name)) return []
    written.add(model.name)
    const inner = model.fields.flatMap(({ name, type }) => modelsIn(type, `${declared}['${name}']`))
    const properties = model.fields.map((field) =>
      property(field, fieldType(field, `${declared}['${field.name}']`), field.required),
    )
    return [...inner, objectType(model.name, model.description, properties)]
  }
  const results = [...open, ...platform].flatMap((call) => {
    const { name, parameters, parametersType, result } = call
    const operation = `typeof ${isOpen(call) ? 'openOperations' : 'platformOperations'}.${name}`
    const declared = `ParametersOf<${operation}>`
    return [
      ...parameters.flatMap(({ name, type }) => modelsIn(type, `${declared}['${name}']`)),
      ...(takesObject(call)
        ? [objectType(parametersType.name, parametersType.description, propertiesOf(call, declared))]
        : []),
      ...modelsIn(result, `ResultOf<${operation}>`),
    ]
  })
  // Callbacks are not results of operations.
  const events = models.filter(({ name }) => !written.has(name)).map(({ name }) => ({ kind: 'model', name }) as const)
  const types = [...results, ...events.flatMap((type) => modelsIn({ ...type, nullable: false }, type.name))]
  const text = types.join('\n\n')
  const words = new Set(text.split(/\W+/))
  const imports = {
    '@souk/contract': ['openOperations', 'ParametersOf', 'platformOperations', 'ResultOf'],
    './enums.generated.ts': enumerations.map(({ name }) => name).sort(),
  }
  const used = Object.entries(imports).map(([file, names]) => [file, names.filter((name) => words.has(name))] as const)
  return `// ${generatedNote}

${used
  .filter(([, names]) => names.length > 0)
  .map(([file, names]) => `import type {\n${names.map((name) => `  ${name},`).join('\n')}\n} from '${file}'`)
  .join('\n')}

${text}

/** A page of a list. Pass \`next\` as \`cursor\` to get the following page; null on the last page. */
export interface PlatformPage<T> {
  /** The items of this page. */
  items: T[]
  /** Cursor of the following page; null on the last page. */
  next: string | null
}
`
}

const isOpen = ({ path }: Call) => path.startsWith('/neuopenapi/')

/** Returns whether a method takes the parameters of a call as an object with a type of its own. */
function takesObject(call: Call): boolean {
  const isObject = !isOpen(call) || !positionalOf(call)
  return call.parameters.length > 0 && isObject && call.result.kind !== 'stream'
}

/** Returns the properties of the parameters of a call; `declared` is their type in the contract. */
function propertiesOf(call: Call, declared: string): string[] {
  const { parameters } = call
  const defaults = isOpen(call) ? defaultsOf(call) : {}
  const others = Object.entries(defaults).filter(([name]) => !parameters.some((parameter) => parameter.name === name))
  return [
    ...parameters.map((parameter) => {
      const isRequired = parameter.required && !(parameter.name in defaults)
      const type = typeOf(parameter.type, `${declared}['${parameter.name}']`, isOpen(call) ? 'readonly ' : '')
      return property(parameter, isRequired ? type : `${type} | undefined`, isRequired)
    }),
    ...others.map(([name, value]) => `  /** Default: ${value}. */\n  ${name}?: ${value} | undefined`),
  ]
}

/** Returns `enums.generated.ts`: the values of enumerations and the codes of errors. */
export function typescriptEnums({ enumerations, errorCodes }: Description): string {
  const declarations = enumerations.map(({ name, description, values }) => {
    const constant = camelCase(name)
    return `${constants(constant, `${sentence(description)} Results keep unknown values.`, values)}
/** A value of {@link ${constant}}. */
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

function fieldType({ type, only }: Field, declared: string): string {
  if (only === undefined) return typeOf(type, declared)
  return typeof only === 'number' ? `${only}` : `'${only}'`
}

const scalars = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' }

/** Returns a type; `declared` is its expression in the contract, for what has no notation of its own. */
function typeOf(type: Type, declared: string, list = ''): string {
  const name = plainTypeOf(type, list)
  return name === undefined ? declared : type.nullable ? `${name} | null` : name
}

function plainTypeOf(type: Type, list: string): string | undefined {
  switch (type.kind) {
    case 'list': {
      const item = plainTypeOf(type.of, list)
      return item && !type.of.nullable ? `${list}${item}[]` : undefined
    }
    case 'model':
      return type.name
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      if (type.without) return `Exclude<${type.enumeration}, ${type.without.join(' | ')}>`
      return type.enumeration ?? scalars[type.kind]
  }
  return undefined
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
    resultOf(call),
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

${calls.map((call) => method(call, resultOf(call))).join('\n\n')}
}
`
}

/** Returns `platformOperations.generated.ts`: a method per operation of the platform data API that returns JSON. */
export function typescriptPlatform({ platform }: Description): string {
  const calls = platform.filter(({ result }) => result.kind !== 'stream')
  const methods = calls.map(platformMethod).join('\n\n')
  const words = new Set(methods.split(/\W+/))
  const models = calls.flatMap(({ result }) => [result, ...(result.kind === 'page' ? [result.of] : [])])
  const named = ['PlatformPage', ...models.flatMap((type) => (type.kind === 'model' ? [type.name] : []))]
  const imported = [...named, ...calls.map(({ parametersType }) => parametersType.name)].filter((name) =>
    words.has(name),
  )
  return `// ${generatedNote}

import type {
${[...new Set(imported)]
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './operations.generated.ts'
import type { PlatformCall${words.has('PlatformResult') ? ', PlatformResult' : ''} } from './platformCall.ts'
import type { CallOptions } from './transport.ts'

/** The operations of the platform data API, except the export. */
export class PlatformOperations {
  readonly #call: PlatformCall

  constructor(call: PlatformCall) {
    this.#call = call
  }

${methods}
}
`
}

function platformMethod({ name, summary, parameters, parametersType, result }: Call): string {
  const isOptional = parameters.every(({ required }) => !required)
  const object = `parameters: ${parametersType.name}${isOptional ? ' = {}' : ''}`
  const listed = [...(parameters.length === 0 ? [] : [object]), 'options?: CallOptions']
  const returned = `Promise<${platformResult(name, result)}>`
  const line = `  async ${name}(${listed.join(', ')}): ${returned} {`
  const head = line.length <= width ? line : `  async ${name}(\n    ${listed.join(',\n    ')},\n  ): ${returned} {`
  return `${comment(summary, '  ')}
${head}
    return this.#call('${name}', ${parameters.length === 0 ? '{}' : 'parameters'}, options)
  }`
}

function platformResult(name: string, type: Type): string {
  if (type.kind === 'page') {
    const item = plainTypeOf(type.of, '')
    return item ? `PlatformPage<${item}>` : `PlatformResult<'${name}'>`
  }
  return typeOf(type, `PlatformResult<'${name}'>`)
}

/** Returns the type of a result. */
const resultOf = ({ name, result }: Call) => typeOf(result, `Result<'${name}'>`)

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

function comment(text: string, indent: string): string {
  const safe = text.replaceAll('*/', '*\\/')
  if (indent.length + safe.length + 7 <= width) return `${indent}/** ${safe} */`
  const lines = wrap(safe, width - indent.length - 3)
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n')
}
