import { Type } from 'typebox'
import { ProjectId } from '../console/surface.ts'
import { operation } from '../operation.ts'
import { DomainTime, Nullable, Text } from '../schemas.ts'
import { DatasetId, namePattern, PlatformPage, platform, platformPaging } from './surface.ts'

/**
 * Types of dataset fields. `integer` is within ±(2^53 − 1), `time` is a Unix time in ms, `json` is any JSON value,
 * which filters cannot inspect.
 */
export const fieldTypes = ['string', 'integer', 'number', 'boolean', 'time', 'json'] as const
export type FieldType = (typeof fieldTypes)[number]

/** Limits: records, bytes of JSON and values per append, bytes and values per record, fields per dataset. */
export const datasetLimits = {
  records: 1000,
  appendBytes: 8 * 1024 * 1024,
  appendValues: 400_000,
  recordBytes: 64 * 1024,
  recordValues: 20_000,
  fields: 100,
} as const

/** Fields that the platform fills in every dataset created by members. */
export const ownSystemFields = ['recordId', 'recordTime'] as const

const fieldParts = {
  name: Type.String({ description: 'Name of the field.' }),
  type: Type.Enum([...fieldTypes], { description: 'Type of its values.', 'x-enum': 'FieldType' }),
  required: Type.Boolean({ description: 'Whether every record has a value.' }),
  description: Nullable(Type.String({ description: 'What the field contains.' })),
}
const Field = Type.Object({
  ...fieldParts,
  generated: Type.Boolean({ description: 'Filled by the platform; cannot be appended.' }),
})

const Schema = Type.Array(
  Type.Object(
    {
      name: Type.String({
        pattern: namePattern,
        description: 'Name of the field: up to 63 ASCII letters, digits and _, beginning with a letter.',
      }),
      type: fieldParts.type,
      required: Type.Optional(Type.Boolean({ description: 'Defaults to false.' })),
      description: Type.Optional(Type.String({ maxLength: 500, description: 'What the field contains.' })),
    },
    { additionalProperties: false },
  ),
  {
    minItems: 1,
    maxItems: datasetLimits.fields,
    description: `Fields of a record: a list of { name, type, required, description }; type is one of ${fieldTypes.join(', ')}.`,
    'x-allowed': `must be a list of 1 to ${datasetLimits.fields} objects { name, type, required?, description? }: name begins with a letter and has up to 63 ASCII letters, digits and _, type is one of ${fieldTypes.join(', ')}`,
  },
)

/** A dataset in a list. Times in ms; null for built-in datasets, which are as old as their project. */
const Dataset = Type.Object({
  datasetId: Type.String({
    description: '32 hexadecimal digits, or `<projectId>.<name>` for a built-in dataset.',
  }),
  projectId: ProjectId,
  name: Type.String({ description: 'Unique in the project.' }),
  description: Nullable(Type.String({ description: 'What the dataset contains.' })),
  kind: Type.Enum(['builtIn', 'own'], {
    description: 'builtIn: a live view of platform data; own: records appended by members.',
    'x-enum': 'DatasetKind',
  }),
  ctime: Nullable(DomainTime()),
})

const DatasetDetail = Type.Object({
  ...Dataset.properties,
  fields: Type.Array(Field, { description: 'In the order of record fields and CSV columns.' }),
})

/** A record: field values by name, null if absent. */
const DatasetRecord = Type.Record(Type.String(), Type.Unknown())

const Filter = Type.Optional(
  Text(4096, {
    description: 'Conditions `field op value` joined by commas (AND); op is one of = != < <= > >= and ~ (contains).',
    'x-allowed': 'must be conditions such as amount>=100,currency=SAR',
  }),
)
const Fields = Type.Optional(
  Type.Array(Type.String({ pattern: namePattern }), {
    minItems: 1,
    maxItems: 200,
    description: 'Return only these fields, in this order.',
    'x-allowed': 'must be field names joined by commas',
  }),
)
const Name = Text(63, {
  pattern: namePattern,
  description: 'Unique in the project.',
  'x-allowed': 'must be up to 63 ASCII letters, digits and _, beginning with a letter',
})

/** Datasets and records. */
export const datasetOperations = {
  listDatasets: operation({
    ...platform,
    id: 'listDatasets',
    method: 'GET',
    path: '/api/v1/datasets',
    summary: 'List datasets of one or all projects of the caller, by project and name',
    access: 'signedIn',
    programs: 'dataset.read',
    clientTypes: { result: { name: 'Dataset', description: 'A dataset in a list. Times are in milliseconds.' } },
    parameters: Type.Object({ projectId: Type.Optional(ProjectId), ...platformPaging }),
    result: PlatformPage(Dataset),
    errors: ['project_not_found', 'permission_denied'],
    redact: [],
  }),
  createDataset: operation({
    ...platform,
    id: 'createDataset',
    method: 'POST',
    path: '/api/v1/datasets',
    summary: 'Create a dataset with a schema',
    access: { action: 'dataset.create', by: 'projectId' },
    body: ['json'],
    clientTypes: {
      result: { name: 'DatasetDetail', description: 'A dataset with its schema.' },
      'result.fields': { name: 'DatasetField', description: 'A field of a dataset.' },
      'parameters.fields': { name: 'NewField', description: 'A field of a dataset to create.' },
    },
    parameters: Type.Object({
      projectId: ProjectId,
      name: Name,
      description: Type.Optional(Text(500, { description: 'What the dataset contains.' })),
      fields: Schema,
    }),
    example: { name: 'orders', fields: [{ name: 'title', type: 'string' }] },
    result: DatasetDetail,
    errors: ['dataset_name_taken'],
    redact: [],
  }),
  getDataset: operation({
    ...platform,
    id: 'getDataset',
    method: 'GET',
    path: '/api/v1/datasets/{datasetId}',
    summary: 'Get a dataset with its schema',
    access: { action: 'dataset.read', by: 'datasetId' },
    parameters: Type.Object({ datasetId: DatasetId }),
    result: DatasetDetail,
    errors: [],
    redact: [],
  }),
  deleteDataset: operation({
    ...platform,
    id: 'deleteDataset',
    method: 'DELETE',
    path: '/api/v1/datasets/{datasetId}',
    summary: 'Delete a dataset with all its records permanently',
    access: { action: 'dataset.delete', by: 'datasetId' },
    parameters: Type.Object({ datasetId: DatasetId }),
    result: Type.Boolean(),
    errors: ['dataset_built_in'],
    redact: [],
  }),
  listRecords: operation({
    ...platform,
    id: 'listRecords',
    method: 'GET',
    path: '/api/v1/datasets/{datasetId}/records',
    summary: 'List records of a dataset, newest first',
    access: { action: 'dataset.read', by: 'datasetId' },
    parameters: Type.Object({ datasetId: DatasetId, filter: Filter, fields: Fields, ...platformPaging }),
    result: PlatformPage(DatasetRecord),
    errors: ['filter_too_broad'],
    redact: [],
  }),
  exportRecords: operation({
    ...platform,
    id: 'exportRecords',
    method: 'GET',
    path: '/api/v1/datasets/{datasetId}/export',
    summary: 'Export all records of a dataset from one snapshot, newest first, streamed as NDJSON or CSV',
    access: { action: 'dataset.read', by: 'datasetId' },
    media: ['application/x-ndjson', 'text/csv'],
    parameters: Type.Object({
      datasetId: DatasetId,
      format: Type.Optional(
        Type.Enum(['ndjson', 'csv'], {
          default: 'ndjson',
          description: 'ndjson: one JSON object per line. csv: RFC 4180 with a header line.',
          'x-allowed': 'must be ndjson or csv',
          'x-enum': 'ExportFormat',
        }),
      ),
      filter: Filter,
      fields: Fields,
      formulas: Type.Optional(
        Type.Enum(['escape', 'keep'], {
          default: 'escape',
          description:
            'For CSV: escape puts an apostrophe before values that a spreadsheet would run as a formula (starting with = + - @ or a control character), also behind a semicolon, tab or line break in them, and before an apostrophe in these places; keep leaves them unchanged.',
          'x-allowed': 'must be escape or keep',
          'x-enum': 'FormulaHandling',
        }),
      ),
    }),
    result: Type.String(),
    errors: ['rate_limited'],
    redact: [],
  }),
  appendRecords: operation({
    ...platform,
    id: 'appendRecords',
    method: 'POST',
    path: '/api/v1/datasets/{datasetId}/records',
    summary: 'Append records, all or none',
    access: { action: 'dataset.append', by: 'datasetId' },
    // Each batch has an id, under which it is stored once.
    retry: 'idempotent',
    body: ['json'],
    maxBody: datasetLimits.appendBytes,
    maxValues: datasetLimits.appendValues,
    items: 'records',
    clientTypes: { result: { name: 'Appended', description: 'The result of an append.' } },
    parameters: Type.Object({
      datasetId: DatasetId,
      records: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        minItems: 1,
        maxItems: datasetLimits.records,
        description: 'Objects with values for the fields of the schema; null is the same as absent.',
        'x-allowed': `must be a list of 1 to ${datasetLimits.records} objects`,
      }),
      batchId: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9_-]{1,64}$',
          description: 'Idempotency key: the same records with the same batchId within a day are stored once.',
          'x-allowed': 'must be up to 64 ASCII letters, digits, _ and -',
        }),
      ),
    }),
    example: { records: [{ title: 'Two coffees' }] },
    result: Type.Object({ appended: Type.Integer({ description: 'Number of records stored by this batch.' }) }),
    errors: ['dataset_built_in', 'batch_conflict'],
    redact: [],
  }),
  deleteRecords: operation({
    ...platform,
    id: 'deleteRecords',
    method: 'DELETE',
    path: '/api/v1/datasets/{datasetId}/records',
    summary: 'Delete the records that match a filter permanently',
    access: { action: 'dataset.delete', by: 'datasetId' },
    retry: 'idempotent',
    clientTypes: { result: { name: 'Deleted', description: 'The result of a deletion.' } },
    parameters: Type.Object({
      datasetId: DatasetId,
      filter: Text(4096, {
        description: 'As for reading; `recordId=…` matches one. Required.',
        'x-allowed': 'must be conditions such as recordId=0123456789abcdef0123456789abcdef',
      }),
    }),
    example: { filter: 'title=none' },
    result: Type.Object({ deleted: Type.Integer({ description: 'Number of records deleted.' }) }),
    errors: ['dataset_built_in'],
    redact: [],
  }),
}
