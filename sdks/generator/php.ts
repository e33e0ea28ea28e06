import type { EnumerationValue } from '../../packages/contract/src/enumerations.ts'
import type { Call, Description, Field, Model, Type } from './model.ts'
import { constantCase, generatedNote, sentence, wrap } from './text.ts'

const width = 116
const folder = 'sdks/php/src'

/** Returns the generated sources of the PHP client: models, and a method per operation. */
export function phpSources({
  open,
  platform,
  models,
  enumerations,
  errorCodes,
  version,
  retriedConflicts,
}: Description): Record<string, string> {
  return {
    [`${folder}/Contract.php`]: `${head('Souk')}
/**
 * What all clients have in common.
 *
 * @internal
 */
final class Contract
{
    /** Version of the client. */
    public const VERSION = '${version}';
    /** Codes of conflicts after which an operation is repeated. */
    public const RETRIED_CONFLICTS = [${retriedConflicts.map((code) => `'${code}'`).join(', ')}];
}
`,
    ...Object.fromEntries(models.map((model) => [`${folder}/Model/${model.name}.php`, modelFile(model)])),
    ...Object.fromEntries(
      enumerations.map(({ name, description, values }) => [
        `${folder}/Model/${name}.php`,
        `${head('Souk\\Model')}\n${constants(name, `${sentence(description)} Results keep unknown values.`, values)}`,
      ]),
    ),
    [`${folder}/ErrorCode.php`]: `${head('Souk')}
${constants(
  'ErrorCode',
  'Codes of errors, which a SoukApiException has as errorCode. Servers may return others.',
  errorCodes,
)}`,
    [`${folder}/OpenOperations.php`]: client(
      'OpenOperations',
      'The operations of the open API, for backends of mini apps.',
      open,
      models,
    ),
    [`${folder}/PlatformOperations.php`]: client(
      'PlatformOperations',
      'The operations of the platform data API.',
      platform,
      models,
    ),
  }
}

function head(namespace: string): string {
  return `<?php

// ${generatedNote}

declare(strict_types=1);

namespace ${namespace};
`
}

/** Returns a class with constants. They are numbers and texts, since servers may add values. */
function constants(name: string, description: string, values: readonly EnumerationValue[]): string {
  const lines = values.map(({ name, value, description }) => {
    const written = typeof value === 'number' ? value : `'${value}'`
    return `${comment(wrap(text(description), width - 4), '    ')}\n    public const ${constantCase(name)} = ${written};`
  })
  return `${comment(wrap(text(description), width), '')}
final class ${name}
{
${lines.join('\n')}
}
`
}

/** Models that callers create have optional fields; the others come from the server. */
function isGiven({ fields }: Model): boolean {
  return fields.some(({ required }) => !required)
}

function modelFile(model: Model): string {
  const { name, description, fields } = model
  const sorted = requiredFirst(fields)
  return `${head('Souk\\Model')}
${comment(wrap(text(description), width), '')}
final class ${name}${isGiven(model) ? ' implements \\JsonSerializable' : ''}
{
${isGiven(model) ? '' : fieldTypes(fields)}${[constructorOf(sorted), debugInfo(fields), isGiven(model) ? jsonSerialize : ''].filter(Boolean).join('\n\n')}
}
`
}

function constructorOf(fields: readonly Field[]): string {
  const lines = fields.flatMap((field) => documented(field, ''))
  const parameters = fields.map((field) => `        ${sensitive(field)}public readonly ${parameter(field)},`)
  return `${comment(lines, '    ')}
    public function __construct(
${parameters.join('\n')}
    ) {
    }`
}

/** Keeps the value out of stack traces. */
function sensitive({ secret }: Field): string {
  return secret ? '#[\\SensitiveParameter] ' : ''
}

/** Returns a method that hides the secret fields from var_dump and print_r. */
function debugInfo(fields: readonly Field[]): string {
  const secrets = fields.filter(({ secret }) => secret)
  if (secrets.length === 0) return ''
  const lines = secrets.map(({ name, type }) => {
    const empty = type.nullable ? `$this->${name} === null ? null : ` : ''
    return `            '${name}' => ${empty}\\Souk\\Secret::HIDDEN,`
  })
  return `    /** @return array<string, mixed> without what is never logged */
    public function __debugInfo(): array
    {
        return [
            ...get_object_vars($this),
${lines.join('\n')}
        ];
    }`
}

const jsonSerialize = `    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter(get_object_vars($this), static fn (mixed $value): bool => $value !== null);
    }`

/** Returns the types of the fields, for `Decoder`. */
function fieldTypes(fields: readonly Field[]): string {
  return `    /** @internal */
    public const FIELDS = [
${fields.map(({ name, type }) => `        '${name}' => ${decoderType(type)},`).join('\n')}
    ];

`
}

function client(name: string, description: string, calls: readonly Call[], models: readonly Model[]): string {
  const methods = calls.filter(({ place }) => place !== 'multipart').map(method)
  const streams = calls.some(({ result }) => result.kind === 'stream')
  const stream = `
    /**
     * @param array<string, mixed> $parameters
     * @return iterable<string>
     */
    abstract protected function stream(string $operation, #[\\SensitiveParameter] array $parameters): iterable;
`
  const body = `${comment([description], '')}
abstract class ${name}
{
    protected const OPERATIONS = [
${calls.map(table).join('\n')}
    ];

    /**
     * @param string $type The type of the result, for Decoder.
     * @param array<string, mixed> $parameters
     */
    abstract protected function call(string $operation, string $type, #[\\SensitiveParameter] array $parameters): mixed;
${streams ? stream : ''}
${methods.join('\n\n')}
}
`
  const used = body.split(/\W+/)
  const imports = models.filter(({ name }) => used.includes(name)).map(({ name }) => `use Souk\\Model\\${name};`)
  return `${head('Souk')}
${imports.sort().join('\n')}

${body}`
}

function table({ name, method, path, place, retry, signed, resultField, secrets }: Call): string {
  const words = [`Place::${pascal(place)}`, `Retry::${pascal(retry)}`, String(signed)]
  const names = `[${secrets.map((secret) => `'${secret}'`).join(', ')}]`
  const fields = [`'${method}'`, `'${path}'`, ...words, `'${resultField}'`, names]
  return `        '${name}' => [${fields.join(', ')}],`
}

function method({ name, summary, parameters, fixed, defaults, result }: Call): string {
  const sorted = requiredFirst(parameters)
  const sent = [
    ...Object.entries(fixed).map(([name, value]) => `'${name}' => ${typeof value === 'number' ? value : `'${value}'`}`),
    ...parameters.map(({ name, type }) => {
      const value = encoded(type, `$${name}`)
      return `'${name}' => ${defaults[name] ? `${value} ?? '${defaults[name]}'` : value}`
    }),
  ]
  const docs = [
    ...wrap(text(summary), width - 4),
    '',
    ...sorted.flatMap((field) => documented(field, 'Model\\')),
    ...(isGeneric(result) ? [`@return ${docType(result)}`] : []),
  ]
  const list = sent.length === 0 ? '[]' : `[\n${sent.map((pair) => `            ${pair},`).join('\n')}\n        ]`
  const call =
    result.kind === 'stream' ? `stream('${name}', ${list})` : `call('${name}', ${decoderType(result)}, ${list})`
  const head =
    sorted.length === 0
      ? `public function ${name}(): ${typeName(result)}\n    {`
      : `public function ${name}(\n${sorted.map((field) => `        ${sensitive(field)}${parameter(field)},`).join('\n')}\n    ): ${typeName(result)} {`
  return `${comment(docs.at(-1) === '' ? docs.slice(0, -1) : docs, '    ')}
    ${head}
        return $this->${call};
    }`
}

function requiredFirst(fields: readonly Field[]): Field[] {
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)]
}

function parameter({ name, type, required }: Field): string {
  return required ? `${typeName(type)} $${name}` : `${typeName({ ...type, nullable: true })} $${name} = null`
}

/** Returns an expression for the type of JSON data, as `Decoder` reads it. */
function decoderType(type: Type): string {
  const suffix = type.kind === 'list' ? '[]' : type.kind === 'page' ? '{}' : ''
  const { kind, name } = { name: '', ...(type.kind === 'list' || type.kind === 'page' ? type.of : type) }
  const prefix = type.nullable ? '?' : ''
  if (kind !== 'model') return `'${prefix}${kind === 'string' ? 'text' : kind}${suffix}'`
  return [prefix && `'${prefix}'`, `${name}::class`, suffix && `'${suffix}'`].filter(Boolean).join(' . ')
}

/** Returns an expression for a parameter as it is sent. */
function encoded(type: Type, value: string): string {
  // An empty array would become a list in JSON.
  return type.kind === 'list' && type.of.kind === 'map'
    ? `array_map(static fn (array $item): object => (object) $item, ${value})`
    : value
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Documents a parameter. `namespace` is that of the values of enumerations. */
function documented({ name, type, required, description }: Field, namespace: string): string[] {
  const shown = docType({ ...type, nullable: type.nullable || !required })
  const values = type.enumeration ? `See {@see ${namespace}${type.enumeration}}.` : ''
  const sentences = [text(description), values].filter(Boolean).join(' ')
  const [first = '', ...rest] = wrap(`@param ${shown} $${name} ${sentences}`.trimEnd(), width - 8)
  return [first, ...rest.map((line) => `    ${line}`)]
}

/** Returns a sentence for a documentation comment. */
function text(description: string): string {
  return sentence(description).replaceAll('*/', '*&#47;')
}

function comment(lines: readonly string[], indent: string): string {
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n')
}

function isGeneric({ kind }: Type): boolean {
  return ['list', 'page', 'map', 'stream'].includes(kind)
}

const names = { string: 'string', integer: 'int', number: 'float', boolean: 'bool', any: 'mixed', map: 'array' }

function typeName(type: Type): string {
  const name = plainName(type)
  return type.nullable && name !== 'mixed' ? `?${name}` : name
}

function plainName(type: Type): string {
  switch (type.kind) {
    case 'list':
      return 'array'
    case 'page':
      return 'Page'
    case 'model':
      return type.name
    case 'stream':
      return 'iterable'
  }
  return names[type.kind]
}

/** Returns a type for a documentation comment, which can say what a list contains. */
function docType(type: Type): string {
  const name = plainDocType(type)
  return type.nullable && name !== 'mixed' ? `${name}|null` : name
}

function plainDocType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list<${docType(type.of)}>`
    case 'page':
      return `Page<${docType(type.of)}>`
    case 'map':
      return 'array<string, mixed>'
    case 'stream':
      return 'iterable<string>'
  }
  return plainName(type)
}
