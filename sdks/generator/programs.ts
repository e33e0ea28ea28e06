import { goConstant } from './go.ts'
import type { Call, Description, Field, Model, Type } from './model.ts'
import { camelCase, constantCase, pascalCase, snakeCase } from './text.ts'

/** Languages of the clients, in the order of their tabs, with the names that highlight their code. */
export const programLanguages = { TypeScript: 'ts', Python: 'python', Go: 'go', Java: 'java', PHP: 'php' } as const
export type ProgramLanguage = keyof typeof programLanguages

/** Values of parameters by their name on the wire. */
type Values = Readonly<Record<string, unknown>>

/** A call with values for its parameters, and the models that these can contain. */
interface Example {
  readonly call: Call
  readonly given: readonly Field[]
  readonly values: Values
  readonly models: readonly Model[]
  readonly enumerations: Description['enumerations']
}

/** Returns a program in each language that calls an operation with the client of Souk and prints the result. */
export function programsFor(
  { open, platform, models, enumerations }: Description,
  id: string,
  values: Values,
): Record<ProgramLanguage, string> {
  const call = [...open, ...platform].find(({ name }) => name === id)
  if (!call) throw new Error(`The clients have no operation ${id}.`)
  const example = {
    call,
    given: call.parameters.filter(({ name }) => values[name] !== undefined),
    values,
    models,
    enumerations,
  }
  return {
    TypeScript: typescript(example),
    Python: python(example),
    Go: go(example),
    Java: java(example),
    PHP: php(example),
  }
}

/** How a language writes values. `record` is an object of any fields, `model` one with those of a model. */
interface Syntax {
  text(value: string): string
  list(items: readonly string[], of: Type): string
  record(fields: readonly (readonly [name: string, value: string])[]): string
  model(name: string, fields: readonly (readonly [name: string, value: string])[]): string
  /** The constant for a value of an enumeration. */
  constant(enumeration: string, name: string): string
}

/** Writes a value of a type in a language. */
function write(syntax: Syntax, type: Type, value: unknown, contract: Pick<Example, 'models' | 'enumerations'>): string {
  const { models, enumerations } = contract
  if (Array.isArray(value)) {
    const of: Type = type.kind === 'list' ? type.of : { kind: 'any', nullable: false }
    return syntax.list(
      value.map((item) => write(syntax, of, item, contract)),
      of,
    )
  }
  const enumeration = enumerations.find(({ name }) => name === type.enumeration)
  const named = enumeration?.values.find((each) => each.value === value)
  if (enumeration && named) return syntax.constant(enumeration.name, named.name)
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const model = type.kind === 'model' ? models.find(({ name }) => name === type.name) : undefined
  const fields = Object.entries(value).map(([name, inner]) => {
    const own = model?.fields.find((field) => field.name === name)?.type ?? { kind: 'any', nullable: false }
    return [name, write(syntax, own, inner, contract)] as const
  })
  return model ? syntax.model(model.name, fields) : syntax.record(fields)
}

const argumentsOf = (example: Example, syntax: Syntax) =>
  example.given.map(({ name, type }) => [name, write(syntax, type, example.values[name], example)] as const)

/** Quotes a text for languages with the escapes of JSON. */
const quoted = (text: string) => JSON.stringify(text)
const single = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

const typescriptSyntax: Syntax = {
  text: single,
  list: (items) => `[${items.join(', ')}]`,
  record: (fields) => `{ ${fields.map(([name, value]) => `${name}: ${value}`).join(', ')} }`,
  model: (_name, fields) => typescriptSyntax.record(fields),
  constant: (enumeration, name) => `${camelCase(enumeration)}.${name}`,
}

function typescript(example: Example): string {
  const { call, given } = example
  const client = call.signed || call.path.startsWith('/neuopenapi') ? 'souk' : 'platform'
  const pairs = argumentsOf(example, typescriptSyntax)
  const constants = enumerationsIn(example).map(camelCase)
  const isPositional =
    client === 'souk' && call.parameters.length === 1 && given.length === 1 && given[0]!.type.kind === 'string'
  const object = pairs.length > 0 ? `{\n${pairs.map(([name, value]) => `  ${name}: ${value},`).join('\n')}\n}` : ''
  const head =
    client === 'souk'
      ? `import { ${['Souk', ...constants].sort().join(', ')} } from '@souk/sdk'

const souk = new Souk({
  baseUrl: process.env.SOUK_URL ?? 'http://localhost:7070',
  appid: process.env.SOUK_APPID ?? '',
  secret: process.env.SOUK_SECRET ?? '',
})
`
      : `import { ${['SoukPlatform', ...constants].sort().join(', ')} } from '@souk/sdk'

const platform = new SoukPlatform({
  baseUrl: process.env.SOUK_URL ?? 'http://localhost:7070',
  apiKey: process.env.SOUK_API_KEY ?? '',
})
`
  if (call.place === 'multipart') {
    return `import { readFile } from 'node:fs/promises'
${head}
console.log(await souk.${call.name}(await readFile('icon.png'), { name: 'icon.png' }))
`
  }
  if (call.result.kind === 'stream') {
    return `${head}
for await (const record of platform.datasets.export(${pairs[0]![1]})) console.log(record)
`
  }
  return `${head}
console.log(await ${client}.${call.name}(${isPositional ? pairs[0]![1] : object}))
`
}

const pythonSyntax: Syntax = {
  text: quoted,
  list: (items) => `[${items.join(', ')}]`,
  record: (fields) => `{${fields.map(([name, value]) => `${quoted(name)}: ${value}`).join(', ')}}`,
  model: (name, fields) => `${name}(${fields.map(([field, value]) => `${snakeCase(field)}=${value}`).join(', ')})`,
  constant: (enumeration, name) => `${enumeration}.${constantCase(name)}`,
}

function python(example: Example): string {
  const { call } = example
  const pairs = argumentsOf(example, pythonSyntax)
  const method = snakeCase(call.name)
  const models = modelsIn(example)
  const constants = enumerationsIn(example)
  const head = call.path.startsWith('/neuopenapi')
    ? `import os

from souk import ${['Souk', ...constants].sort().join(', ')}

souk = Souk(os.environ["SOUK_URL"], os.environ["SOUK_APPID"], os.environ["SOUK_SECRET"])
`
    : `import os

from souk import ${['SoukPlatform', ...constants].sort().join(', ')}
${models.length > 0 ? `from souk.operations import ${models.join(', ')}\n` : ''}
platform = SoukPlatform(os.environ["SOUK_URL"], api_key=os.environ["SOUK_API_KEY"])
`
  if (call.place === 'multipart') {
    return `${head}
with open("icon.png", "rb") as file:
    print(souk.${method}(file.read(), name="icon.png"))
`
  }
  const lines = pairs.map(([name, value]) => `    ${snakeCase(name)}=${value.replace(/^(true|false)$/, capitalized)},`)
  const client = call.path.startsWith('/neuopenapi') ? 'souk' : 'platform'
  const called = `${client}.${method}(${lines.length > 0 ? `\n${lines.join('\n')}\n` : ''})`
  if (call.result.kind === 'stream') {
    return `import sys
${head}
for chunk in ${called}:
    sys.stdout.buffer.write(chunk)
`.replace('import sys\nimport os', 'import os\nimport sys')
  }
  return `${head}
result = ${called}
print(result)
`
}

const capitalized = (word: string) => pascalCase(word)

const goNames = (name: string) =>
  pascalCase(name).replace(/(Id|Url)(s?)$/, (_, word: string, plural: string) => word.toUpperCase() + plural)

const goSyntax: Syntax = {
  text: quoted,
  list: (items, of) => `[]${goType(of)}{${items.join(', ')}}`,
  record: (fields) => `souk.Record{${fields.map(([name, value]) => `${quoted(name)}: ${value}`).join(', ')}}`,
  model: (name, fields) => `souk.${name}{${fields.map(([field, value]) => `${goNames(field)}: ${value}`).join(', ')}}`,
  constant: (enumeration, name) => `souk.${goConstant(enumeration, name)}`,
}

function goType(type: Type): string {
  if (type.kind === 'model') return `souk.${type.name}`
  return { string: 'string', integer: 'int64', number: 'float64', boolean: 'bool', any: 'any', map: 'souk.Record' }[
    type.kind as 'string'
  ]
}

function go(example: Example): string {
  const { call } = example
  const isOpen = call.path.startsWith('/neuopenapi')
  const pairs = argumentsOf(example, goSyntax)
  const method = pascalCase(call.name)
  const isSingle = call.parameters.length === 1 && call.parameters[0]!.required
  const width = Math.max(...pairs.map(([name]) => goNames(name).length + 1), 0)
  const struct = `, souk.${method}Params{${pairs.length > 0 ? `\n${pairs.map(([name, value]) => `\t\t${`${goNames(name)}:`.padEnd(width)} ${value},`).join('\n')}\n\t` : ''}}`
  const file = call.place === 'multipart'
  const argument = file
    ? ', "icon.png", content'
    : call.parameters.length === 0
      ? ''
      : isSingle
        ? `, ${pairs[0]![1]}`
        : struct
  const stream = call.result.kind === 'stream'
  const created = isOpen
    ? `souk.New(souk.Options{
		BaseURL: os.Getenv("SOUK_URL"),
		AppID:   os.Getenv("SOUK_APPID"),
		Secret:  os.Getenv("SOUK_SECRET"),
	})`
    : `souk.NewPlatform(souk.PlatformOptions{
		BaseURL: os.Getenv("SOUK_URL"),
		APIKey:  os.Getenv("SOUK_API_KEY"),
	})`
  const fail = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n'
  return `package main

import (
	"context"
	${stream ? '"io"' : '"fmt"'}
	"log"
	"os"

	"souk.dev/souk"
)

func main() {
	client, err := ${created}
${fail}${file ? `\tcontent, err := os.ReadFile("icon.png")\n${fail}` : ''}	result, err := client.${file ? 'FileUpload' : method}(context.Background()${argument})
${fail}${stream ? `\tdefer result.Close()\n\tif _, err := io.Copy(os.Stdout, result); err != nil {\n\t\tlog.Fatal(err)\n\t}` : '\tfmt.Printf("%+v\\n", result)'}
}
`
}

const javaSyntax: Syntax = {
  text: quoted,
  list: (items) => `List.of(${items.join(', ')})`,
  record: (fields) => `Map.of(${fields.map(([name, value]) => `${quoted(name)}, ${value}`).join(', ')})`,
  model: (name, fields) => `new ${name}()${fields.map(([field, value]) => `.${field}(${value})`).join('')}`,
  constant: (enumeration, name) => `${enumeration}.${constantCase(name)}`,
}

function java(example: Example): string {
  const { call, given } = example
  const isOpen = call.path.startsWith('/neuopenapi')
  const pairs = argumentsOf(example, javaSyntax)
  const required = call.parameters.filter((field) => field.required)
  const takesObject = call.parameters.length > 2 || call.parameters.some((field) => !field.required)
  // A single required parameter is an argument of its own, see java.ts.
  const own = !takesObject ? given : required.length <= 1 ? given.filter((field) => field.required) : []
  const positional = pairs.filter(([name]) => own.some((field) => field.name === name))
  const others = pairs.filter(([name]) => !own.some((field) => field.name === name))
  const object = `${pascalCase(call.name)}Parameters`
  const file = call.place === 'multipart'
  const indent = ' '.repeat(16)
  const built =
    others.length > 0
      ? [`new ${object}()${others.map(([name, value]) => `\n${indent}.${name}(${value})`).join('')}`]
      : []
  const called = `client.${call.name}(${file ? 'Files.readAllBytes(Path.of("icon.png")), "icon.png"' : [...positional.map(([, value]) => value), ...built].join(', ')})`
  const stream = call.result.kind === 'stream'
  const client = isOpen ? 'Souk' : 'SoukPlatform'
  const body = stream
    ? `        try (var result = ${called}) {\n            result.transferTo(System.out);\n        }`
    : `        var result = ${called};\n        System.out.println(result);`
  const text = `${body}${built.join('')}`
  const imports = [
    `dev.souk.${client}`,
    ...(others.length > 0 ? [`dev.souk.model.${object}`] : []),
    ...[...modelsIn(example), ...enumerationsIn(example)].map((name) => `dev.souk.model.${name}`),
    ...(file ? ['java.nio.file.Files', 'java.nio.file.Path'] : []),
    ...(text.includes('List.of') ? ['java.util.List'] : []),
    ...(text.includes('Map.of') ? ['java.util.Map'] : []),
  ].sort()
  const created = isOpen
    ? 'new Souk(System.getenv("SOUK_URL"), System.getenv("SOUK_APPID"), System.getenv("SOUK_SECRET"))'
    : 'SoukPlatform.withApiKey(System.getenv("SOUK_URL"), System.getenv("SOUK_API_KEY"))'
  return `${imports.map((name) => `import ${name};`).join('\n')}

public class Main {
    public static void main(String[] arguments)${file || stream ? ' throws Exception' : ''} {
        var client = ${created};
${body}
    }
}
`
}

const phpSyntax: Syntax = {
  text: single,
  list: (items) => `[${items.join(', ')}]`,
  record: (fields) => `[${fields.map(([name, value]) => `${single(name)} => ${value}`).join(', ')}]`,
  model: (name, fields) => `new ${name}(${fields.map(([field, value]) => `${field}: ${value}`).join(', ')})`,
  constant: (enumeration, name) => `${enumeration}::${constantCase(name)}`,
}

function php(example: Example): string {
  const { call } = example
  const isOpen = call.path.startsWith('/neuopenapi')
  const pairs = argumentsOf(example, phpSyntax)
  const file = call.place === 'multipart'
  const stream = call.result.kind === 'stream'
  const list = pairs.map(([name, value]) => `    ${name}: ${value},`)
  const called = `$client->${call.name}(${file ? "file_get_contents('icon.png'), 'icon.png'" : list.length > 0 ? `\n${list.join('\n')}\n` : ''})`
  const inModel = [...modelsIn(example), ...enumerationsIn(example)].map((name) => `Souk\\Model\\${name}`)
  const uses = [`Souk\\${isOpen ? 'Souk' : 'SoukPlatform'}`, ...inModel]
  return `<?php

require __DIR__ . '/vendor/autoload.php';

${uses
  .sort()
  .map((name) => `use ${name};`)
  .join('\n')}

$client = new ${
    isOpen
      ? "Souk(getenv('SOUK_URL'), getenv('SOUK_APPID'), getenv('SOUK_SECRET'))"
      : "SoukPlatform(getenv('SOUK_URL'), apiKey: getenv('SOUK_API_KEY'))"
  };

${stream ? `foreach (${called} as $chunk) {\n    echo $chunk;\n}` : `$result = ${called};\nvar_dump($result);`}
`
}

/** Returns the names of the models in the given parameters. */
function modelsIn({ given }: Example): string[] {
  const inside = (type: Type): string[] =>
    type.kind === 'model' ? [type.name] : type.kind === 'list' || type.kind === 'page' ? inside(type.of) : []
  return [...new Set(given.flatMap(({ type }) => inside(type)))]
}

/** Returns the names of the enumerations of the given parameters, also of the fields of models in them. */
function enumerationsIn({ given, values, models }: Example): string[] {
  const inside = (type: Type, value: unknown): (string | undefined)[] => {
    if (type.kind === 'list') return (value as unknown[]).flatMap((item) => inside(type.of, item))
    const fields = type.kind === 'model' ? models.find(({ name }) => name === type.name)!.fields : []
    const given = fields.filter(({ name }) => (value as Values)[name] !== undefined)
    return [type.enumeration, ...given.flatMap(({ name, type }) => inside(type, (value as Values)[name]))]
  }
  const names = given.flatMap(({ name, type }) => inside(type, values[name]))
  return [...new Set(names.filter((name) => name !== undefined))]
}
