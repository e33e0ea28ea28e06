import type { EnumerationValue } from '../../packages/contract/src/enumerations.ts'
import type { Call, Description, Field, Model, Type } from './model.ts'
import { constantCase, generatedNote, sentence, snakeCase, wrap } from './text.ts'

const width = 100

/** Returns `souk/enums.py`: the values of enumerations and the codes of errors. */
export function pythonEnums({ enumerations, errorCodes }: Description): string {
  const members = (values: readonly EnumerationValue[]) =>
    values
      .map(
        ({ name, value, description }) =>
          `    ${constantCase(name)} = ${JSON.stringify(value)}\n${docstring(description)}`,
      )
      .join('\n')
  const classes = enumerations.map(({ name, description, values }) => {
    const base = typeof values[0]?.value === 'number' ? 'IntEnum' : 'str, Enum'
    return { name, base, description, body: members(values) }
  })
  const codes = {
    name: 'ErrorCode',
    base: 'str, Enum',
    description: 'Codes of errors, which a SoukApiError has as code. Servers may return others.',
    body: members(errorCodes),
  }
  const all = [...classes, codes]
  return `# ${generatedNote}
"""Values of enumerations, and codes of errors.

Results have plain numbers and texts, since servers may add values; they are equal to the members.
"""

from enum import Enum, IntEnum

__all__ = [
${all
  .map(({ name }) => name)
  .sort()
  .map((name) => `    "${name}",`)
  .join('\n')}
]

${all
  .map(
    ({ name, base, description, body }) => `
class ${name}(${base}):
${docstring(description)}

${body}

    def __str__(self) -> str:
        return str(self.value)
`,
  )
  .join('\n')}`
}

/** Returns `souk/operations.py`: the models, and a method per operation. */
export function pythonOperations({ open, platform, models, version, retriedConflicts }: Description): string {
  return `# ${generatedNote}
"""Operations and models of the open API and the platform data API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, Optional

from .wire import Operation, Page

VERSION = ${JSON.stringify(version)}
"""Version of the client."""
RETRIED_CONFLICTS = (${retriedConflicts.map((code) => `${JSON.stringify(code)},`).join(' ')})
"""Codes of conflicts after which an operation is repeated."""

OPERATIONS = {
${[...open, ...platform].map(table).join('\n')}
}

${models.map(model).join('\n\n')}


class OpenOperations:
    """The operations of the open API, for backends of mini apps."""

    def _call(self, operation: Operation, parameters: dict[str, Any], result: Any) -> Any:
        raise NotImplementedError

${open
  .filter(({ place }) => place !== 'multipart')
  .map(method)
  .join('\n\n')}


class PlatformOperations:
    """The operations of the platform data API."""

    def _call(self, operation: Operation, parameters: dict[str, Any], result: Any) -> Any:
        raise NotImplementedError

    def _stream(self, operation: Operation, parameters: dict[str, Any]) -> Iterator[bytes]:
        raise NotImplementedError

${platform.map(method).join('\n\n')}
`
}

/** Returns `souk/async_operations.py`: the operations as coroutines, and exports as asynchronous iterators. */
export function pythonAsyncOperations({ open, platform, models }: Description): string {
  const classes = `class AsyncOpenOperations:
    """The operations of the open API, for backends of mini apps."""

    async def _call(self, operation: Operation, parameters: dict[str, Any], result: Any) -> Any:
        raise NotImplementedError

${open
  .filter(({ place }) => place !== 'multipart')
  .map(coroutine)
  .join('\n\n')}


class AsyncPlatformOperations:
    """The operations of the platform data API."""

    async def _call(self, operation: Operation, parameters: dict[str, Any], result: Any) -> Any:
        raise NotImplementedError

    def _stream(self, operation: Operation, parameters: dict[str, Any]) -> AsyncIterator[bytes]:
        raise NotImplementedError

${platform.map(coroutine).join('\n\n')}
`
  const mentioned = new Set(classes.split(/\W+/))
  const imported = ['OPERATIONS', ...models.map(({ name }) => name).filter((name) => mentioned.has(name))].sort()
  return `# ${generatedNote}
"""The operations of the open API and the platform data API as coroutines."""

from __future__ import annotations

from typing import Any, AsyncIterator, Optional

from .operations import (
${imported.map((name) => `    ${name},`).join('\n')}
)
from .wire import Operation, Page


${classes}`
}

function coroutine(call: Call): string {
  if (call.result.kind === 'stream') return method(call).replaceAll('Iterator[', 'AsyncIterator[')
  return method(call).replace('    def ', '    async def ').replace('return self._call(', 'return await self._call(')
}

function table({ name, method, path, place, retry, signed, resultField, secrets }: Call): string {
  const fields = [name, method, path, place, retry].map((text) => JSON.stringify(text)).join(', ')
  const tuple = `(${secrets.map((secret) => `${JSON.stringify(secret)},`).join(' ')})`
  return `    ${JSON.stringify(name)}: Operation(${fields}, ${signed ? 'True' : 'False'}, ${JSON.stringify(resultField)}, ${tuple}),`
}

function model({ name, description, fields }: Model): string {
  // Dataclasses want fields with a default last.
  const sorted = [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)]
  return `
@dataclass(frozen=True)
class ${name}:
${docstring(description)}

${sorted.map(field).join('\n')}`
}

function field(given: Field): string {
  const { name, type, required, secret } = given
  const description = described(given)
  const declared = `    ${snakeCase(name)}: ${required ? typeName(type) : optional(type)}`
  const options = [...(required ? [] : ['default=None']), ...(secret ? ['repr=False'] : [])].join(', ')
  const line = secret ? `${declared} = field(${options})` : `${declared}${required ? '' : ' = None'}`
  return description ? `${line}\n${docstring(description)}` : line
}

function method({ name, summary, parameters, fixed, defaults, result }: Call): string {
  const required = parameters.filter((parameter) => parameter.required)
  const optionalParameters = parameters.filter((parameter) => !parameter.required)
  const first = required.length === 1 ? required[0] : undefined
  const others = first ? [] : required
  const named = [
    ...others.map(({ name, type }) => `${snakeCase(name)}: ${typeName(type)}`),
    ...optionalParameters.map(({ name, type }) => `${snakeCase(name)}: ${optional(type)} = None`),
  ]
  const head = [
    'self',
    ...(first ? [`${snakeCase(first.name)}: ${typeName(first.type)}`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ]
  const sent = [
    ...Object.entries(fixed).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...parameters.map(({ name }) => {
      const value = snakeCase(name)
      return `${JSON.stringify(name)}: ${defaults[name] ? `${value} or ${JSON.stringify(defaults[name])}` : value}`
    }),
  ]
  const documented = parameters.filter((parameter) => described(parameter))
  const docs = [
    ...wrap(summary, width - 8),
    ...(documented.length > 0 ? [''] : []),
    ...documented.flatMap((parameter) => {
      const [start = '', ...rest] = wrap(`:param ${snakeCase(parameter.name)}: ${described(parameter)}`, width - 12)
      return [start, ...rest.map((line) => `    ${line}`)]
    }),
  ]
  const parts =
    sent.length === 0 ? '{}' : `{\n${sent.map((pair) => `                ${pair},`).join('\n')}\n            }`
  const stream = result.kind === 'stream'
  const returned = stream ? 'Iterator[bytes]' : typeName(result)
  return `    def ${snakeCase(name)}(
${head.map((parameter) => `        ${parameter},`).join('\n')}
    ) -> ${returned}:
        """${docs.map((line, index) => (index === 0 || line === '' ? line : `        ${line}`)).join('\n')}
        """
        return self._${stream ? 'stream' : 'call'}(
            OPERATIONS[${JSON.stringify(name)}],
            ${parts},${stream ? '' : `\n            ${typeName(result)},`}
        )`
}

/** Returns sentences about a field, with the class of its values. */
function described({ description, type }: Field): string {
  return [sentence(description), type.enumeration ? `See :class:\`~souk.${type.enumeration}\`.` : '']
    .filter(Boolean)
    .join(' ')
}

function docstring(text: string): string {
  const spaces = ' '.repeat(4)
  const lines = wrap(sentence(text), width - spaces.length - 6)
  return lines.length === 1 ? `${spaces}"""${lines[0]}"""` : `${spaces}"""${lines.join(`\n${spaces}`)}\n${spaces}"""`
}

function optional(type: Type): string {
  return typeName({ ...type, nullable: true })
}

const names = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', any: 'Any', map: 'dict[str, Any]' }

function typeName(type: Type): string {
  const name = plainName(type)
  return type.nullable ? `Optional[${name}]` : name
}

function plainName(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list[${typeName(type.of)}]`
    case 'page':
      return `Page[${typeName(type.of)}]`
    case 'model':
      return type.name
    case 'stream':
      return 'Iterator[bytes]'
  }
  return names[type.kind]
}
