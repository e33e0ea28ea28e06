import type { EnumerationValue } from '../../packages/contract/src/enumerations.ts'
import type { Call, Description, Field, Model, Type } from './model.ts'
import { constantCase, generatedNote, pascalCase, sentence, wrap } from './text.ts'

const width = 116
const folder = 'sdks/java/src/main/java/dev/souk'

/** Returns the generated sources of the Java client: models, parameters, and a method per operation. */
export function javaSources({
  open,
  platform,
  models,
  enumerations,
  errorCodes,
  version,
  retriedConflicts,
}: Description): Record<string, string> {
  const classes = [
    ...models.map((model) => ({ name: model.name, text: isGiven(model) ? setters(model) : result(model) })),
    ...[...open, ...platform].filter(takesObject).map((call) => ({
      name: parametersName(call),
      text: setters({
        name: parametersName(call),
        description: `${takesMore(call) ? 'Optional parameters' : 'Parameters'} of {@code ${call.name}}.`,
        fields: objectFields(call),
      }),
    })),
  ]
  const names = [...classes.map(({ name }) => name), 'Page']
  const clients = {
    OpenOperations: client('OpenOperations', 'The operations of the open API, for backends of mini apps.', open, names),
    PlatformOperations: client('PlatformOperations', 'The operations of the platform data API.', platform, names),
  }
  return Object.fromEntries([
    ...classes.map(({ name, text }) => [`${folder}/model/${name}.java`, modelFile(text)]),
    ...enumerations.map(({ name, description, values }) => [
      `${folder}/model/${name}.java`,
      modelFile(constants(name, `${sentence(description)} Results keep unknown values.`, values)),
    ]),
    [
      `${folder}/ErrorCode.java`,
      `// ${generatedNote}
package dev.souk;

${constants(
  'ErrorCode',
  'Codes of errors, which a SoukApiException has as code. Servers may return others.',
  errorCodes,
)}`,
    ],
    ...Object.entries(clients).map(([name, text]) => [`${folder}/${name}.java`, text]),
    [
      `${folder}/Contract.java`,
      `// ${generatedNote}
package dev.souk;

import java.util.Set;

/** What all clients have in common. */
final class Contract {
    /** Version of the client. */
    static final String VERSION = ${JSON.stringify(version)};
    /** Codes of conflicts after which an operation is repeated. */
    static final Set<String> RETRIED_CONFLICTS = Set.of(${retriedConflicts.map((code) => JSON.stringify(code)).join(', ')});

    private Contract() {}
}
`,
    ],
  ])
}

/** Returns a class with constants. They are numbers and texts, since servers may add values. */
function constants(name: string, description: string, values: readonly EnumerationValue[]): string {
  const fields = values.map(({ name, value, description }) => {
    const type = typeof value === 'number' ? 'long' : 'String'
    return `${comment(wrap(javadoc(sentence(description)), width - 4), '    ')}
    public static final ${type} ${constantCase(name)} = ${JSON.stringify(value)};
`
  })
  return `${comment(wrap(javadoc(description), width), '')}
public final class ${name} {
${fields.join('\n')}
    private ${name}() {}
}
`
}

/** Returns sentences about a field for a documentation comment, with a link to its values. */
function documented({ name, description, type: { enumeration } }: Field): string {
  const values = enumeration ? `See {@link dev.souk.model.${enumeration}}.` : ''
  return [sentence(javadoc(description || name)), values].filter(Boolean).join(' ')
}

/** Models that callers create have optional fields. */
function isGiven({ fields }: Model): boolean {
  return fields.some(({ required }) => !required)
}

function modelFile(text: string): string {
  const imports = [
    'com.fasterxml.jackson.annotation.JsonAutoDetect',
    'com.fasterxml.jackson.annotation.JsonCreator',
    'com.fasterxml.jackson.annotation.JsonProperty',
    'java.util.Arrays',
    'java.util.List',
    'java.util.Map',
  ].filter((name) => mentions(text, name.split('.').at(-1)!))
  return `// ${generatedNote}
package dev.souk.model;

${imports.map((name) => `import ${name};\n`).join('')}${imports.length > 0 ? '\n' : ''}${text}`
}

/** Returns an immutable class of a result, as a record would be: Java 11 has none. */
function result({ name, description, fields }: Model): string {
  const declared = fields.map(({ name, type }) => `${typeName(type)} ${name}`)
  const given = fields.map(
    ({ name, type }, index) => `@JsonProperty("${name}") ${type.nullable ? '@Nullable ' : ''}${declared[index]}`,
  )
  return `${comment(wrap(javadoc(sentence(description)), width), '')}
@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
public final class ${name} {
${declared.map((field) => `    private final ${field};`).join('\n')}

    /** Creates one, for tests. */
    @JsonCreator
    public ${name}(
${given.map((parameter) => `            ${parameter}`).join(',\n')}) {
${fields.map(({ name }) => `        this.${name} = ${name};`).join('\n')}
    }

${fields.map(accessor).join('\n')}
    @Override
    public boolean equals(Object other) {
        return other instanceof ${name} && values().equals(((${name}) other).values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    private List<Object> values() {
        return Arrays.asList(
${wrap(fields.map(({ name }) => name).join(', '), width - 16)
  .map((line) => `                ${line}`)
  .join('\n')});
    }

${text(name, fields)}}
`
}

function accessor(field: Field): string {
  const { name, type } = field
  const words = [documented(field), type.nullable ? 'Can be null.' : ''].filter(Boolean).join(' ')
  return `${comment(wrap(words, width - 4), '    ')}
${type.nullable ? '    @Nullable\n' : ''}    public ${typeName(type)} ${name}() {
        return ${name};
    }
`
}

/** Returns a method that describes a result without its secret fields. */
function text(className: string, fields: readonly Field[]): string {
  const parts = fields.map(({ name, type, secret }, index) => {
    const shown = !secret ? name : type.nullable ? `(${name} == null ? null : "******")` : '"******"'
    return `"${index === 0 ? '' : ', '}${name}=" + ${shown}`
  })
  const isRedacted = fields.some(({ secret }) => secret)
  return `    /** Returns the fields${isRedacted ? ' without what is never logged' : ''}. */
    @Override
    public String toString() {
        return "${className}["
                + ${[...parts, '"]"'].join('\n                + ')};
    }
`
}

function setters({ name, description, fields }: Model): string {
  return `${comment(wrap(sentence(description), width), '')}
public final class ${name} extends Parameters {
${fields.map((field) => setter(name, field)).join('\n')}}
`
}

function setter(className: string, field: Field): string {
  const { name, type, required } = field
  const text = [documented(field), required ? 'Required.' : ''].filter(Boolean).join(' ')
  return `${comment(wrap(text, width - 4), '    ')}
    public ${className} ${name}(${typeName({ ...type, nullable: false })} ${name}) {
        set("${name}", ${name});
        return this;
    }
`
}

/** Operations with more than two parameters, or optional ones, take an object. */
function takesObject({ parameters, place }: Call): boolean {
  return place !== 'multipart' && (parameters.length > 2 || parameters.some(({ required }) => !required))
}

/** Returns whether the object has optional parameters only: a single required one is a separate argument. */
function takesMore({ parameters }: Call): boolean {
  return parameters.filter(({ required }) => required).length <= 1
}

function objectFields(call: Call): readonly Field[] {
  const { parameters } = call
  return takesMore(call) ? parameters.filter(({ required }) => !required) : parameters
}

function parametersName({ name }: Call): string {
  return `${pascalCase(name)}Parameters`
}

function client(name: string, description: string, calls: readonly Call[], classes: readonly string[]): string {
  const methods = calls.filter(({ place }) => place !== 'multipart').map((call) => methodsOf(call))
  const streams = calls.some(({ result }) => result.kind === 'stream')
  const body = `${comment([description], '')}
abstract class ${name} {
${calls.map(table).join('\n')}

    abstract <T> T call(Operation operation, Map<String, ?> parameters, TypeReference<T> result);
${streams ? '\n    abstract InputStream stream(Operation operation, Map<String, ?> parameters);\n' : ''}
${methods.join('\n')}}
`
  const imports = [
    'com.fasterxml.jackson.core.type.TypeReference',
    'dev.souk.Operation.Place',
    'dev.souk.Operation.Retry',
    ...classes.map((name) => `dev.souk.model.${name}`),
    'java.io.InputStream',
    'java.util.List',
    'java.util.Map',
  ].filter((name) => mentions(body, name.split('.').at(-1)!))
  return `// ${generatedNote}
package dev.souk;

${imports
  .sort()
  .map((name) => `import ${name};`)
  .join('\n')}

${body}`
}

function table({ name, method, path, place, retry, signed, resultField, secrets }: Call): string {
  const address = [name, method, path].map((text) => JSON.stringify(text)).join(', ')
  return `    static final Operation ${constantCase(name)} = new Operation(
            ${address},
            Place.${place.toUpperCase()}, Retry.${constantCase(retry)}, ${signed}, "${resultField}",
            List.of(${secrets.map((secret) => JSON.stringify(secret)).join(', ')}));`
}

function methodsOf(call: Call): string {
  const { parameters, fixed, defaults } = call
  const constants = Object.entries({ ...fixed, ...defaults }).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  )
  if (!takesObject(call)) return method(call, parameters, constants)
  const own = takesMore(call) ? parameters.filter(({ required }) => required) : []
  const whole = method(call, own, constants, `${parametersName(call)} parameters`)
  return takesMore(call) ? `${method(call, own, constants)}\n${whole}` : whole
}

function method(
  { name, summary, result, parameters }: Call,
  own: readonly Field[],
  constants: readonly (readonly [name: string, value: string])[],
  object?: string,
): string {
  const pairs = [...constants, ...own.map(({ name }) => [name, name] as const)]
  const map = `Map.of(${pairs.map(([name, value]) => `"${name}", ${value}`).join(', ')})`
  const sent = object === undefined ? map : pairs.length === 0 ? 'parameters.toMap()' : `parameters.toMap(${map})`
  const head = [...own.map(({ name, type }) => `${typeName(type)} ${name}`), ...(object ? [object] : [])]
  const described = parameters.filter((field) => own.includes(field))
  const docs = [
    ...wrap(javadoc(summary), width - 4),
    ...(described.length > 0 ? [''] : []),
    ...described.flatMap((field) => tag(`@param ${field.name}`, documented(field))),
  ]
  const stream = result.kind === 'stream'
  const call = stream
    ? `stream(${constantCase(name)}, ${sent})`
    : `call(
                ${constantCase(name)},
                ${sent},
                new TypeReference<>() {})`
  return `${comment(docs, '    ')}
    public ${typeName(result)} ${name}(${head.join(', ')}) {
        return ${call};
    }
`
}

function tag(start: string, description: string, more = ''): string[] {
  const text = [description, more].filter(Boolean).join(' ')
  const [first = '', ...rest] = wrap(`${start} ${text}`, width - 8)
  return [first, ...rest.map((line) => `    ${line}`)]
}

function comment(lines: readonly string[], indent: string): string {
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '&#64;' }

/** Returns a text for a documentation comment. */
function javadoc(text: string): string {
  return text.replace(/[&<>@]/g, (character) => entities[character]!).replace(/`([^`]*)`/g, '<code>$1</code>')
}

function mentions(text: string, name: string): boolean {
  return text.split(/\W+/).includes(name)
}

const primitives = { integer: 'long', number: 'double', boolean: 'boolean' }
const boxed = { integer: 'Long', number: 'Double', boolean: 'Boolean' }

function typeName(type: Type): string {
  switch (type.kind) {
    case 'integer':
    case 'number':
    case 'boolean':
      return (type.nullable ? boxed : primitives)[type.kind]
    case 'string':
      return 'String'
    case 'any':
      return 'Object'
    case 'map':
      return 'Map<String, Object>'
    case 'list':
      return `List<${typeName({ ...type.of, nullable: true })}>`
    case 'page':
      return `Page<${typeName({ ...type.of, nullable: true })}>`
    case 'model':
      return type.name
    case 'stream':
      return 'InputStream'
  }
}
