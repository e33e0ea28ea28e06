import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  canonicalString,
  errors,
  type Operation,
  openOperations,
  parseForm,
  platformOperations,
  signParameters,
  verifyCallback,
  webhookSignature,
} from '@souk/contract'
import { check, readPages } from '@souk/pages'
import { describe, expect, it } from 'vitest'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const blocksOf = (markdown: string, language: string) =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(({ 1: block = '' }) => block)

describe('open-api.md', () => {
  const text = read('open-api.md')
  const secret = /the secret `([0-9a-f]{48})`/.exec(text)![1]!
  const requests = blocksOf(text, 'http').map((block) => {
    const [head = '', body = ''] = block.trim().split('\n\n')
    return { head, body, header: (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] }
  })
  const requestTo = (path: string) => requests.find(({ head }) => head.startsWith(`POST ${path} `))!

  it('signs its request as specified', () => {
    const parameters = parseForm(requestTo('/neuopenapi/pay/transactions/trade').body)
    expect(signParameters(parameters, secret)).toBe(parameters.get('sign'))
    expect(blocksOf(text, 'text')).toEqual([`${canonicalString(parameters, secret)}\n`])
    const known = Object.keys(openOperations.trade.parameters.properties)
    expect([...parameters.keys()].filter((name) => !known.includes(name))).toEqual([])
  })

  it('signs its callback as specified', () => {
    const { body, header } = requestTo('/paid')
    const timestamp = Number(header('webhook-timestamp'))
    expect(verifyCallback(body, [secret], { now: timestamp * 1000 })).toMatchObject({ ok: true })
    expect(webhookSignature(header('webhook-id')!, String(timestamp), body, secret)).toBe(header('webhook-signature'))
  })

  it('gives the sign of its test vector', () => {
    const vector = /test vector: ([\s\S]*?), secret `(.*?)` gives\s+`([0-9a-f]{64})`/.exec(text)!
    const parameters = [...vector[1]!.matchAll(/`(\w+)=(.*?)`/g)].map(([, name, value]) => [name!, value!] as const)
    expect(signParameters(parameters, vector[2]!)).toBe(vector[3])
  })

  // Additions of Souk have no section.
  const operations = Object.values<Operation>(openOperations).filter(({ section }) => section)
  const names = ({ path, parameters }: Operation) =>
    Object.keys(parameters.properties).filter((name) => !path.includes(`{${name}}`))
  const rowsOf = (markdown: string) =>
    [...markdown.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))

  it('has a row for each field of the trade detail, open-api §2.5', () => {
    const [, section = ''] = /### 2\.5 Trade\n(.*?)\n\*\*Souk:/s.exec(text)!
    const fields = rowsOf(section).flatMap(([cell = '']) => /^`(\w+)`$/.exec(cell)?.[1] ?? [])
    expect(fields).toEqual(Object.keys(openOperations.tradedetail.result.properties))
  })

  it('names every operation of the open API and its parameters', () => {
    for (const { method, path, parameters } of operations) {
      expect(text).toContain(`\`${method} {openapi_base_url}${path}\``)
      for (const name of Object.keys(parameters.properties)) expect(text).toContain(`\`${name}\``)
    }
  })

  // The common rules describe the upload, and the parameters that all requests have.
  it.each(operations.filter(({ id }) => id !== 'fileUpload'))('has a table of the parameters of $id', (operation) => {
    const section = text.split(/^##+ /m).find((part) => part.includes(`{openapi_base_url}${operation.path}\``))!
    const rows = rowsOf(section).filter(([name]) => name!.startsWith('`'))
    const own = names(operation).filter((name) => !['appid', 'timestamp', 'sign'].includes(name))
    const isRequired = (name: string) => operation.parameters.required?.includes(name)
    expect(rows.map(([name, , required]) => [name, required === 'yes'])).toEqual(
      own.map((name) => [`\`${name}\``, isRequired(name)]),
    )
  })

  it('has each error that an operation of the open API declares', () => {
    const section = text.split(/^## /m).find((part) => part.startsWith('7. Errors'))
    for (const code of new Set(operations.flatMap((operation) => operation.errors))) {
      expect(section).toContain(`\`${code}\``)
    }
  })

  it('has the operations of the platform data API and their parameters', () => {
    const rows = new Map(rowsOf(text).map(([, call, parameters]) => [call!, parameters!]))
    for (const operation of Object.values<Operation>(platformOperations).filter(({ section }) => section)) {
      const parameters = rows.get(`${operation.method} \`${operation.path}\``)
      expect(parameters, operation.id).toBeDefined()
      for (const name of names(operation)) expect(parameters).toContain(`\`${name}\``)
    }
  })

  it('gives the statuses and statements of the error registry', () => {
    const rows = [...text.matchAll(/^\| [^|]+ \| ([\d, ]+) \| ([^|]+) \| ([^|]*)\|$/gm)]
    expect(rows.length).toBeGreaterThan(20)
    for (const [, statuses = '', codes = '', statement = ''] of rows) {
      const names = codes.match(/\w+/g)! as (keyof typeof errors)[]
      const expected = statuses.split(', ').map(Number)
      expect(names.map((name) => errors[name].status)).toEqual(
        expected.length === 1 ? names.map(() => expected[0]) : expected,
      )
      if (statement.trim() !== '') expect(errors[names[0]!].msg).toBe(statement.trim())
    }
  })
})

describe('pages-json.md', () => {
  it('shows a file without faults', () => {
    const [example = ''] = blocksOf(read('pages-json.md'), 'json')
    expect(check(readPages(example))).toEqual([])
  })
})
