import { codeFor, codeRequestOf, type OpenApiDocument, operationsOf } from '@souk/web/operations'
import { exampleParameters } from '../../../packages/contract/src/examples.ts'
import { openapi, operations } from '../../../packages/contract/src/openapi.ts'
import type { Operation } from '../../../packages/contract/src/operation.ts'
import { errorCodes, errorPage, operationPage, operationsPage } from '../../../packages/contract/src/reference.ts'
import { describe } from '../../../sdks/generator/model.ts'
import { programLanguages, programsFor } from '../../../sdks/generator/programs.ts'
import { type ErrorLanguage, errorTextsIn } from './errors/texts.ts'

const origin = 'http://localhost:7070'
const described = new Map(operationsOf(openapi(origin) as unknown as OpenApiDocument).map((one) => [one.id, one]))
const clients = describe()

/** Returns the Markdown of the list of all operations, which is called `index`, and of a page for each. */
export const operationPages = (): { id: string; content: string }[] => [
  { id: 'index', content: operationsPage() },
  ...operations.map((operation) => ({
    id: operation.id,
    content: operationPage(operation, requestExamples(operation)),
  })),
]

const writeRequest = (operation: Operation, values: Readonly<Record<string, unknown>>) =>
  fence('sh', 'curl', curlFor(operation, values))

/** Returns the Markdown of the page of each error. */
export const errorPages = (): { code: string; content: string }[] =>
  errorCodes.map((code) => ({ code, content: errorPage(code, writeRequest) }))

/** Returns the Markdown of the page of each error in a language. */
export const errorPagesIn = (language: ErrorLanguage): { code: string; content: string }[] =>
  errorCodes.map((code) => ({ code, content: errorPage(code, writeRequest, errorTextsIn(language, code)) }))

/** Returns the example request of an operation as Markdown: with curl, and in tabs with the clients that have it. */
function requestExamples(operation: Operation): string {
  const values = exampleParameters(operation)
  const curl = fence('sh', 'curl', curlFor(operation, values))
  if (operation.surface !== 'open' && operation.surface !== 'platform') return curl
  const programs = programsFor(clients, operation.id, values)
  const tabs = Object.entries(programLanguages).map(([name, language]) =>
    fence(language, name, programs[name as keyof typeof programs]),
  )
  return `::: code-group\n\n${[curl, ...tabs].join('\n')}\n:::\n`
}

function curlFor({ id, file }: Operation, values: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(values).map(([name, value]) => [name, textOf(value)] as const)
  const appid = String(values.appid ?? '')
  const input = { values: Object.fromEntries(texts), file: file ? new File([], 'icon.png') : undefined }
  return codeFor('curl', codeRequestOf(described.get(id)!, input, { appid, origin }))
}

/** Writes a value as the forms of the playground and the console take it. */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const fence = (language: string, title: string, code: string) =>
  `\`\`\`${language} [${title}]\n${code.trimEnd()}\n\`\`\`\n`
