import { join } from 'node:path'
import { readDeclarations } from './declarations.ts'
import { ConfigError } from './projectConfig.ts'

/** Functions of the host that a mini app calls, with their declarations, in the folder of pages.json. */
export const hostFunctionsFile = 'host-functions.json'

type Schema = { readonly [keyword: string]: unknown }

/** A declaration as `souk functions add` writes it. The development server answers with examples and failures. */
export interface HostFunction {
  readonly name: string
  readonly input: Schema
  readonly result: Schema
}

/**
 * Reads the functions of the host that a mini app calls, by name; none without the file.
 * @throws ConfigError if the file is not a JSON object of declarations
 */
export function readHostFunctions(root: string): HostFunction[] {
  return Object.entries(readDeclarations(root, hostFunctionsFile))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, declared]) => {
      const { input, result } = Object(declared) as Partial<HostFunction>
      if (!/^[a-z][A-Za-z0-9]{0,63}$/.test(name) || !isObject(input) || !isObject(result))
        throw new ConfigError(
          `${join(root, hostFunctionsFile)}: ${name} is not a declaration. Write it with: souk functions add ${name}`,
        )
      return { name, input, result }
    })
}

/** Returns the module with the schemas that the mini app checks calls by. */
export function schemasModule(functions: readonly HostFunction[]): string {
  return `export default ${JSON.stringify(Object.fromEntries(functions.map(({ name, ...schemas }) => [name, schemas])))}\n`
}

/** Returns the declarations of `neu.host` for TypeScript. */
export function hostFunctionTypes(functions: readonly HostFunction[]): string {
  const members = functions.map(({ name, input, result }) => {
    const isOptional = !Array.isArray(input.required) || input.required.length === 0
    const parameter = `input${isOptional ? '?' : ''}: ${typeOf(input, input)}`
    return `${commentOf(input, '  ')}  ${name}(${parameter}): Promise<${typeOf(result, result)}>`
  })
  return `// Written by Souk from ${hostFunctionsFile}.\ninterface NeuHostFunctions {\n${members.join('\n')}\n}\n`
}

/** Returns a type that has all values of a schema. It has more where TypeScript cannot express the schema. */
function typeOf(schema: unknown, root: Schema, depth = 0): string {
  if (schema === false) return 'never'
  if (!isObject(schema) || depth > maxDepth) return 'unknown'
  const of = (each: unknown) => typeOf(each, root, depth + 1)
  const { $ref, allOf, anyOf, oneOf, type } = schema
  if (typeof $ref === 'string') return of(Object(root.$defs)[$ref.replace('#/$defs/', '')])
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return union(choices.map(of))
  if (Array.isArray(allOf)) return `(${allOf.map(of).join(' & ')})`
  return union([type].flat().map((each) => plainType(each, schema, of)))
}

/** A schema may refer to itself. */
const maxDepth = 8

function plainType(type: unknown, schema: Schema, of: (schema: unknown) => string): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return `${of(schema.items)}[]`
  if (type === 'object') return objectType(schema, of)
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown'
}

function objectType({ properties, required, additionalProperties }: Schema, of: (schema: unknown) => string): string {
  if (!isObject(properties))
    return isObject(additionalProperties) ? `Record<string, ${of(additionalProperties)}>` : 'object'
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = Array.isArray(required) && required.includes(name)
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    return `${key}${isRequired ? '' : '?'}: ${of(schema)}`
  })
  return `{ ${fields.join('; ')} }`
}

const union = (types: readonly string[]): string => {
  const different = [...new Set(types)]
  return different.length === 1 ? different[0]! : `(${different.join(' | ')})`
}

function commentOf({ description }: Schema, indent: string): string {
  if (typeof description !== 'string') return ''
  return `${indent}/** ${description.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
