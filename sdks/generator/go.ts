import type { Call, Description, Field, Model, Type } from './model.ts'
import { camelCase, generatedNote, pascalCase, sentence, wrap } from './text.ts'

const width = 100

/** Returns `internal/redaction/models.go`: a value of each model and struct of parameters, which tests print. */
export function goModels({ open, platform, models }: Description): string {
  const structs = [...open, ...platform].filter(takesStruct).map(({ name }) => `${pascalCase(name)}Params`)
  return `// ${generatedNote}

package main

import "souk.dev/souk"

var models = []any{
${[...models.map(({ name }) => name), ...structs].map((name) => `\tsouk.${name}{},`).join('\n')}
}
`
}

/** Returns `enums.go`: the values of enumerations and the codes of errors. */
export function goEnums({ enumerations, errorCodes }: Description): string {
  const types = enumerations.map(({ name, description, values }) => {
    const constants = values.map(({ name: own, value, description }) => {
      return `${comment(sentence(description), '\t')}\n\t${goConstant(name, own)} ${name} = ${JSON.stringify(value)}`
    })
    return `${comment(`${name}: ${description.charAt(0).toLowerCase()}${sentence(description).slice(1)} Results keep unknown values.`)}
type ${name} ${typeof values[0]?.value === 'number' ? 'int64' : 'string'}

const (
${constants.join('\n')}
)`
  })
  const codes = errorCodes.map(
    ({ name, value, description }) => `${comment(description, '\t')}\n\t${goCode(name)} = ${JSON.stringify(value)}`,
  )
  return `// ${generatedNote}

package souk

${types.join('\n\n')}

// Codes of errors, which [APIError] has as Code. Servers may return others.
const (
${codes.join('\n')}
)
`
}

/** Returns the name of the constant for a value of an enumeration. */
export function goConstant(enumeration: string, name: string): string {
  return `${enumeration}${constantName(name)}`
}

/** Returns the name of the constant for the code of an error. */
export function goCode(code: string): string {
  return `Code${constantName(code)}`
}

/** Converts a name to a part of the name of a constant, with initialisms in capitals. */
function constantName(name: string): string {
  const word = /^[A-Z]+$/.test(name) ? name : pascalCase(camelCase(name))
  return word.replace(/(Api|Id|Url)(?=[A-Z]|$)/g, (initialism) => initialism.toUpperCase())
}

/** Returns whether the parameters of a call are a struct: neither none nor the only required one. */
function takesStruct({ parameters, place }: Call): boolean {
  return place !== 'multipart' && parameters.length > 0 && !(parameters.length === 1 && parameters[0]?.required)
}

/** Returns `operations.go`: the models, and a method per operation. */
export function goOperations({ open, platform, models, version, retriedConflicts }: Description): string {
  return `// ${generatedNote}

package souk

import (
	"context"
	"fmt"
	"io"
)

// version is the version of the client.
const version = ${JSON.stringify(version)}

// retriedConflicts are the codes of conflicts after which an operation is repeated.
var retriedConflicts = map[string]bool{${retriedConflicts.map((code) => `${JSON.stringify(code)}: true`).join(', ')}}

var operations = map[string]operation{
${aligned([...open, ...platform].map(tableRow)).join('\n')}
}

${models.map(model).join('\n\n')}

${open
  .filter(({ place }) => place !== 'multipart')
  .map((call) => operationOf(call, 'Client'))
  .join('\n\n')}

${platform.map((call) => operationOf(call, 'Platform')).join('\n\n')}
`
}

function tableRow({ name, method, path, place, retry, signed, resultField, secrets }: Call): string[] {
  const texts = [name, method, path, place, retry, resultField].map((text) => JSON.stringify(text))
  return [`${JSON.stringify(name)}:`, `{${texts.join(', ')}, ${signed}, ${list(secrets)}},`]
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? 'nil' : `[]string{${texts.map((text) => JSON.stringify(text)).join(', ')}}`
}

function model({ name, description, fields }: Model): string {
  return `${comment(`${name} is ${description.charAt(0).toLowerCase()}${description.slice(1)}`)}
type ${name} struct {
${fieldLines(fields)}
}${formatter(name, fields)}`
}

/** Returns a method that hides the secret fields. */
function formatter(name: string, fields: readonly Field[]): string {
  const assignments = fields.filter(({ secret }) => secret).flatMap(hiding)
  if (assignments.length === 0) return ''
  return `

// Format hides from package fmt what is never logged.
func (m ${name}) Format(state fmt.State, verb rune) {
	type plain ${name}
${assignments.join('\n')}
	printPlain(state, verb, "${name}", plain(m))
}`
}

/** Returns statements that hide a secret field. */
function hiding({ name, type }: Field): string[] {
  const field = `m.${fieldName(name)}`
  if (!type.nullable) {
    const isText = type.kind === 'string' && !type.enumeration
    return [`\t${field} = ${isText ? `hide(${field})` : `*new(${typeName(type)})`}`]
  }
  // Package fmt prints the address of a pointer, but what it points to after a verb that the type does not have, unless
  // that is a text, a number or a boolean.
  if (!['list', 'page', 'map', 'model'].includes(type.kind)) return []
  return [`\tif ${field} != nil {\n\t\t${field} = new(${plainName(type)})\n\t}`]
}

/** Functions of `slog.go`, by the calls that need them. */
const slogHelpers = {
  'hidePointer(': `// hidePointer hides a text that can be null.
func hidePointer(text *string) *string {
	if text == nil {
		return nil
	}
	shown := hide(*text)
	return &shown
}`,
  'blank(': `// blank returns a pointer to an empty value, and nil instead of nil.
func blank[T any](pointer *T) *T {
	if pointer == nil {
		return nil
	}
	return new(T)
}`,
  ' = logged(': `// logged returns what is logged of each item.
func logged[T interface{ logged() T }](items []T) []T {
	result := make([]T, len(items))
	for i, item := range items {
		result[i] = item.logged()
	}
	return result
}`,
}

/**
 * Returns `slog.go`: methods that hide from log/slog what is never logged. JSON of results has all fields (ADR 53), and
 * slog writes that of everything without such a method.
 */
export function goSlog({ open, platform, models }: Description): string {
  const parameters = [...open, ...platform].filter(takesStruct)
  const structs = [
    ...models,
    ...parameters.map((call) => ({ name: `${pascalCase(call.name)}Params`, fields: call.parameters })),
  ]
  const loggers = structs.filter(({ fields }) => fields.some((field) => hasSecret(field, models)))
  const text = loggers.map(({ name, fields }) => logger(name, fields, models)).join('\n\n')
  const helpers = Object.entries(slogHelpers).flatMap(([call, helper]) =>
    text.includes(call) ? [`\n\n${helper}`] : [],
  )
  return `// ${generatedNote}

//go:build go1.21

package souk

import "log/slog"

${text}

// LogValue hides from package log/slog what is never logged of the items.
func (p Page[T]) LogValue() slog.Value {
	type plain Page[any]
	items := make([]any, len(p.Items))
	for i, item := range p.Items {
		items[i] = slog.AnyValue(item).Resolve().Any()
	}
	return slog.AnyValue(plain{items, p.Next})
}${helpers.join('')}
`
}

/** Returns whether a field is never logged, or has one that is not. */
function hasSecret({ secret, type }: Field, models: readonly Model[]): boolean {
  return secret || modelOf(type, models)?.fields.some((field) => hasSecret(field, models)) === true
}

function modelOf(type: Type, models: readonly Model[]): Model | undefined {
  if (type.kind === 'list') return modelOf(type.of, models)
  return models.find(({ name }) => type.kind === 'model' && name === type.name)
}

function logger(name: string, fields: readonly Field[], models: readonly Model[]): string {
  const assignments = fields.filter((field) => hasSecret(field, models)).map((field) => `\t${loggedField(field)}`)
  return `// LogValue hides from package log/slog what is never logged.
func (m ${name}) LogValue() slog.Value {
	type plain ${name}
	return slog.AnyValue(plain(m.logged()))
}

func (m ${name}) logged() ${name} {
${assignments.join('\n')}
	return m
}`
}

function loggedField({ name, type, secret }: Field): string {
  const field = `m.${fieldName(name)}`
  const isText = type.kind === 'string' && !type.enumeration
  if (secret && type.nullable) return `${field} = ${isText ? 'hidePointer' : 'blank'}(${field})`
  if (secret) return `${field} = ${isText ? `hide(${field})` : `*new(${typeName(type)})`}`
  if (type.kind === 'list') return `${field} = logged(${field})`
  if (!type.nullable) return `${field} = ${field}.logged()`
  return `if ${field} != nil {\n\t\tshown := ${field}.logged()\n\t\t${field} = &shown\n\t}`
}

/** Returns the lines of the fields, with the names of the specification. Empty optional fields are omitted. */
function fieldLines(fields: readonly Field[]): string {
  const lines: string[] = []
  let block: string[][] = []
  const end = () => {
    lines.push(...aligned(block))
    block = []
  }
  for (const { name, type, required, description } of fields) {
    // A comment begins a new block for gofmt.
    if (description) {
      end()
      lines.push(comment(sentence(description), '\t'))
    }
    block.push([fieldName(name), typeName(type), `\`json:"${name}${required ? '' : ',omitempty'}"\``])
  }
  end()
  return lines.join('\n')
}

/** Aligns the columns of consecutive lines as gofmt does. */
function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map(
    (row) => `\t${row.map((cell, column) => cell.padEnd(column < row.length - 1 ? widths[column]! : 0)).join(' ')}`,
  )
}

/** Returns a method with its parameters: none, the only required one, or a struct. */
function operationOf(call: Call, client: string): string {
  const { name, summary, parameters, result } = call
  const method = pascalCase(name)
  const [only] = parameters
  const isSingle = parameters.length === 1 && only?.required === true
  const argument =
    parameters.length === 0 ? '' : isSingle ? `, ${only.name} ${typeName(only.type)}` : `, params ${method}Params`
  const struct =
    parameters.length === 0 || isSingle
      ? ''
      : `${comment(`${method}Params are the parameters of ${client}.${method}. Optional ones are left out when they are zero.`)}
type ${method}Params struct {
${fieldLines(parameters)}
}${formatter(`${method}Params`, parameters)}

`
  const stream = result.kind === 'stream'
  const returned = stream ? 'io.ReadCloser' : resultName(result)
  return `${struct}${comment(`${method}: ${summary}`)}
func (c *${client}) ${method}(ctx context.Context${argument}) (${returned}, error) {
	values := values{}
${[...Object.entries({ ...call.fixed, ...call.defaults }).map(([name, value]) => `	values.set(${JSON.stringify(name)}, ${JSON.stringify(value)})`), ...parameters.map((parameter) => setter(parameter, isSingle))].join('\n')}
	${
    stream
      ? `return c.stream(ctx, operations[${JSON.stringify(name)}], values)`
      : `var result ${returned}
	err := c.call(ctx, operations[${JSON.stringify(name)}], values, &result)
	return result, err`
  }
}`
}

function setter({ name, type, required }: Field, isSingle: boolean): string {
  const given = isSingle ? name : `params.${fieldName(name)}`
  const value = type.enumeration ? `${typeName({ ...type, enumeration: '' })}(${given})` : given
  return `	values.${required ? 'set' : 'setUnlessZero'}(${JSON.stringify(name)}, ${value})`
}

/** Converts a name to a field name of Go, with initialisms in capitals. */
function fieldName(name: string): string {
  return pascalCase(name).replace(/(Id|Url)(s?)$/, (_, word: string, plural: string) => word.toUpperCase() + plural)
}

function comment(text: string, indent = ''): string {
  return wrap(text, width)
    .map((line) => `${indent}// ${line}`)
    .join('\n')
}

function resultName(type: Type): string {
  return type.kind === 'model' ? type.name : typeName(type)
}

const names = { string: 'string', integer: 'int64', number: 'float64', boolean: 'bool', any: 'any', map: 'Record' }

function typeName(type: Type): string {
  const name = plainName(type)
  return type.nullable ? `*${name}` : name
}

function plainName(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `[]${typeName(type.of)}`
    case 'page':
      return `Page[${typeName(type.of)}]`
    case 'model':
      return type.name
    case 'stream':
      return 'io.ReadCloser'
  }
  return type.enumeration || names[type.kind]
}
