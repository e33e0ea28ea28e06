import { type FieldType, fieldTypes } from '@souk/contract'
import type { Dataset, DatasetDetail, DatasetRecord, NewField } from '@souk/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Failure } from '../failure.ts'
import { type KeyOptions, withPlatform } from '../platform.ts'
import { counted, fields, plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'

const usualLimit = 100

interface SelectionOptions extends KeyOptions {
  filter?: string
  fields?: string[]
}

/** `souk datasets …`: the platform data API with an API key. */
export function addDatasetCommands(program: Command, add: AddCommand): void {
  const datasets = program.command('datasets')
  addListCommand(datasets, add)
  addShowCommand(datasets, add)
  addRecordsCommand(datasets, add)
  addExportCommand(datasets, add)
  addCreateCommand(datasets, add)
  addAppendCommand(datasets, add)
  addDeleteRecordsCommand(datasets, add)
  addDeleteCommand(datasets, add)
}

function addListCommand(datasets: Command, add: AddCommand): void {
  add<[], KeyOptions & { project?: string }>(datasets, {
    usage: 'list',
    summary: 'list datasets of your projects',
    examples: ['datasets list', 'datasets list --project 0123456789abcdef0123456789abcdef --json'],
    options: (command) => withKey(command).option('--project <projectId>', 'only datasets of this project'),
    action: ({ environment, print, style }, options) =>
      withPlatform(environment, options, async (platform) => {
        const found: Dataset[] = []
        for await (const dataset of platform.datasets.iterate({ projectId: options.project })) found.push(dataset)
        print(found, () =>
          found.length === 0
            ? 'No datasets: your account is not a member of any project.'
            : table(
                ['DATASET', 'NAME', 'KIND', 'DESCRIPTION'],
                found.map((it) => [
                  it.datasetId,
                  plain(it.name),
                  it.kind === 'own' ? style('green', 'own') : 'built in',
                  plain(it.description ?? ''),
                ]),
                style,
              ),
        )
      }),
  })
}

function addShowCommand(datasets: Command, add: AddCommand): void {
  add<[string], KeyOptions>(datasets, {
    usage: 'show <datasetId>',
    summary: 'show a dataset with its fields',
    examples: ['datasets show 0123456789abcdef0123456789abcdef.trades'],
    options: withKey,
    action: ({ environment, print, style }, options, datasetId) =>
      withPlatform(environment, options, async (platform) => {
        print(await platform.datasets.get(datasetId), (dataset) => describe(dataset, style))
      }),
  })
}

function addRecordsCommand(datasets: Command, add: AddCommand): void {
  add<[string], SelectionOptions & { limit?: number }>(datasets, {
    usage: 'records <datasetId>',
    summary: 'list records, newest first',
    examples: [
      'datasets records 0123456789abcdef0123456789abcdef.trades --limit 20',
      'datasets records 0123456789abcdef0123456789abcdef.trades --filter "transactionStatus=2" --fields tradeNo,amount --json',
    ],
    options: (command) =>
      withSelection(command).option('--limit <number>', `maximum number (default: ${usualLimit})`, parseNumber),
    action: ({ environment, print, style }, options, datasetId) =>
      withPlatform(environment, options, async (platform) => {
        const { limit = usualLimit, filter, fields } = options
        const found: DatasetRecord[] = []
        const records = platform.datasets.records(datasetId, { filter, fields, limit: Math.min(limit, 1000) })
        for await (const record of records) {
          found.push(record)
          if (found.length === limit) break
        }
        print(found, () => (found.length === 0 ? 'No records.' : recordTable(found, style)))
      }),
  })
}

function addExportCommand(datasets: Command, add: AddCommand): void {
  add<[string], SelectionOptions & { format?: 'ndjson' | 'csv'; keepFormulas?: true; out?: string }>(datasets, {
    usage: 'export <datasetId>',
    summary: 'export all records of one snapshot as NDJSON or CSV',
    examples: [
      'datasets export 0123456789abcdef0123456789abcdef.trades > trades.ndjson',
      'datasets export 0123456789abcdef0123456789abcdef.trades --format csv --out trades.csv',
    ],
    options: (command) =>
      withSelection(command)
        .addOption(new Option('--format <format>', 'output format (default: ndjson)').choices(['ndjson', 'csv']))
        .option('--keep-formulas', 'CSV: keep values that a spreadsheet would run as a formula')
        .option('--out <file>', 'write to this file instead of standard output'),
    action: ({ environment, print }, options, datasetId) =>
      withPlatform(environment, options, async (platform) => {
        const { filter, fields, format = 'ndjson', keepFormulas, out } = options
        const stream = await platform.datasets.exportStream(
          datasetId,
          { filter, fields, format, ...(keepFormulas ? { formulas: 'keep' } : {}) },
          { signal: environment.untilInterrupted() },
        )
        await environment.write(stream, out)
        // Standard output contains only the data.
        if (out !== undefined) print({ file: out, format }, () => `Wrote ${out}.`)
      }),
  })
}

function addCreateCommand(datasets: Command, add: AddCommand): void {
  add<[], KeyOptions & { project: string; name: string; description?: string; fields: NewField[] }>(datasets, {
    usage: 'create',
    summary: 'create a dataset',
    examples: [
      'datasets create --project 0123456789abcdef0123456789abcdef --name visits --fields "page:string!,seconds:number,at:time"',
    ],
    options: (command) =>
      withKey(command)
        .requiredOption('--project <projectId>', 'project of the dataset')
        .requiredOption('--name <name>', 'letters, digits and _, starting with a letter')
        .option('--description <text>', 'description')
        .requiredOption(
          '--fields <schema>',
          `comma-separated name:type, with ! for required fields; type is one of ${fieldTypes.join(', ')}`,
          parseSchema,
        ),
    action: ({ environment, print, style }, options) =>
      withPlatform(environment, options, async (platform) => {
        const { project, name, description, fields } = options
        const dataset = { projectId: project, name, fields, ...(description ? { description } : {}) }
        print(await platform.datasets.create(dataset), (created) => describe(created, style))
      }),
  })
}

function addAppendCommand(datasets: Command, add: AddCommand): void {
  add<[string, string], KeyOptions>(datasets, {
    usage: 'append <datasetId> <file>',
    summary: 'append records from a file with one JSON object per line; - is standard input',
    examples: ['datasets append 0123456789abcdef0123456789abcdef visits.ndjson'],
    options: withKey,
    action: ({ environment, print }, options, datasetId, file) =>
      withPlatform(environment, options, async (platform) => {
        if (file === '-' && options.apiKeyStdin) {
          throw new Failure(2, 'Standard input cannot be both the API key and the records.', 'Set SOUK_API_KEY.')
        }
        // An interruption ends the lines, not the request, so the number of stored records is known.
        const lines = environment.readLines(file, environment.untilInterrupted())
        const result = await platform.datasets.append(datasetId, recordsOf(lines, file))
        print(result, ({ appended }) => `Appended ${counted(appended, 'record')}.`)
      }),
  })
}

function addDeleteRecordsCommand(datasets: Command, add: AddCommand): void {
  add<[string], KeyOptions & { filter: string }>(datasets, {
    usage: 'delete-records <datasetId>',
    summary: 'delete the records that match a filter permanently',
    examples: ['datasets delete-records 0123456789abcdef0123456789abcdef --filter "at<2030-01-01"'],
    options: (command) => withKey(command).requiredOption('--filter <conditions>', 'conditions such as "recordId=…"'),
    action: ({ environment, print }, options, datasetId) =>
      withPlatform(environment, options, async (platform) => {
        const result = await platform.datasets.deleteRecords(datasetId, options.filter)
        print(result, ({ deleted }) => `Deleted ${counted(deleted, 'record')}.`)
      }),
  })
}

function addDeleteCommand(datasets: Command, add: AddCommand): void {
  add<[string], KeyOptions & { yes?: true }>(datasets, {
    usage: 'delete <datasetId>',
    summary: 'delete a dataset with all its records permanently',
    examples: ['datasets delete 0123456789abcdef0123456789abcdef --yes'],
    options: (command) => withKey(command).option('--yes', 'confirm the deletion'),
    action: ({ environment, print }, options, datasetId) =>
      withPlatform(environment, options, async (platform) => {
        if (!options.yes)
          throw new Failure(2, `This deletes ${datasetId} with all its records permanently.`, 'Add --yes to confirm.')
        print(await platform.datasets.delete(datasetId), () => `Deleted ${datasetId}.`)
      }),
  })
}

function withKey(command: Command): Command {
  return command.option('--api-key-stdin', 'read the API key from standard input instead of SOUK_API_KEY')
}

function withSelection(command: Command): Command {
  return withKey(command)
    .option('--filter <conditions>', 'only matching records, such as "amount>=100,currency=SAR"')
    .option('--fields <names>', 'only these fields, comma-separated', parseNames)
}

function describe(dataset: DatasetDetail, style: Style): string {
  return [
    fields(
      [
        ['dataset', dataset.datasetId],
        ['project', dataset.projectId],
        ['name', plain(dataset.name)],
        ['kind', dataset.kind === 'own' ? 'own' : 'built in, filled by the platform'],
        ...(dataset.description ? [['description', plain(dataset.description)] as const] : []),
      ],
      style,
    ),
    '',
    table(
      ['FIELD', 'TYPE', 'VALUE', 'DESCRIPTION'],
      dataset.fields.map((it) => [
        it.name,
        it.type,
        it.generated ? 'generated' : it.required ? 'required' : 'optional',
        plain(it.description ?? ''),
      ]),
      style,
    ),
  ].join('\n')
}

/** Formats records as a table with long values truncated; --json prints everything. */
function recordTable(records: readonly DatasetRecord[], style: Style): string {
  const names = Object.keys(records[0] ?? {})
  const cell = (value: unknown) => {
    const text = plain(value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : value)
    return text.length > 40 ? `${text.slice(0, 39)}…` : text
  }
  return table(
    names,
    records.map((record) => names.map((name) => cell(record[name]))),
    style,
  )
}

async function* recordsOf(lines: AsyncIterable<string>, file: string): AsyncGenerator<object> {
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    let record: unknown
    try {
      record = JSON.parse(line)
    } catch {
      record = undefined
    }
    if (typeof record !== 'object' || record === null || Array.isArray(record)) {
      throw new Failure(2, `${file === '-' ? 'Standard input' : file}, line ${number}: not a JSON object.`)
    }
    yield record
  }
}

function parseNames(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}

function parseSchema(text: string): NewField[] {
  return text.split(',').map((part) => {
    const [, name, type, mark] = /^\s*(\w+)\s*:\s*(\w+)(!?)\s*$/.exec(part) ?? []
    if (!name || !fieldTypes.some((known) => known === type)) {
      throw new InvalidArgumentError(
        `Use a list of name:type, where name has letters from A to Z, digits and _, and type is one of ${fieldTypes.join(', ')}.`,
      )
    }
    return { name, type: type as FieldType, required: mark === '!' }
  })
}
