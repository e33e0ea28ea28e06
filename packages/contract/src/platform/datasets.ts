import { Type } from 'typebox'
import { ProjectId, Time } from '../console/surface.ts'
import { operation } from '../operation.ts'
import { Nullable, Text } from '../schemas.ts'
import { DatasetId, namePattern, PlatformPage, platform, platformPaging } from './surface.ts'

/**
 * Types of fields. `integer` is a whole number up to 2^53 − 1 either way, `time` a Unix time in ms, `json` any JSON value
 * (which no filter looks into).
 */
export const fieldTypes = ['string', 'integer', 'number', 'boolean', 'time', 'json'] as const
export type FieldType = (typeof fieldTypes)[number]

/** How many records one append may bring, how large it and each record may be (bytes of JSON), how many fields there may be. */
export const datasetLimits = {
  records: 1000,
  appendBytes: 8 * 1024 * 1024,
  recordBytes: 64 * 1024,
  fields: 100,
} as const

/** Fields that every dataset of one’s own has, and the platform fills. */
export const ownSystemFields = ['recordId', 'recordTime'] as const

const fieldParts = {
  name: Type.String(),
  type: Type.Enum([...fieldTypes]),
  required: Type.Boolean({ description: 'Whether each record has a value.' }),
  description: Nullable(Type.String()),
}
const Field = Type.Object({
  ...fieldParts,
  generated: Type.Boolean({ description: 'Filled by the platform; appending does not set it.' }),
})

const Schema = Type.Array(
  Type.Object(
    {
      name: Type.String({ pattern: namePattern }),
      type: fieldParts.type,
      required: Type.Optional(Type.Boolean({ description: 'false unless told.' })),
      description: Type.Optional(Type.String({ maxLength: 500 })),
    },
    { additionalProperties: false },
  ),
  {
    minItems: 1,
    maxItems: datasetLimits.fields,
    description: `What a record holds: a list of { name, type, required, description }; type is one of ${fieldTypes.join(', ')}.`,
    'x-allowed': `must be a list of 1 to ${datasetLimits.fields} objects { name, type, required?, description? }: name begins with a letter and has up to 63 letters, digits and _, type is one of ${fieldTypes.join(', ')}`,
  },
)

/** A dataset as it is listed. Times in ms; null for a built-in one, which is as old as its project. */
const Dataset = Type.Object({
  datasetId: Type.String(),
  projectId: ProjectId,
  name: Type.String(),
  description: Nullable(Type.String()),
  kind: Type.Enum(['builtIn', 'own'], {
    description: 'builtIn: a live view of what the platform keeps; own: what members append.',
  }),
  ctime: Nullable(Time),
})

const DatasetDetail = Type.Object({
  ...Dataset.properties,
  fields: Type.Array(Field, { description: 'In the order in which records and CSV columns have them.' }),
})

/** One record: the value of each field by its name, null where it has none. */
const DatasetRecord = Type.Record(Type.String(), Type.Unknown())

const Filter = Type.Optional(
  Text(4096, {
    description:
      'Conditions `field op value` joined with commas, all of which have to hold; op is one of = != < <= > >= and ~ (contains).',
    'x-allowed': 'must be conditions such as amount>=100,currency=SAR',
  }),
)
const Fields = Type.Optional(
  Type.Array(Type.String({ pattern: namePattern }), {
    minItems: 1,
    maxItems: 200,
    description: 'Only these fields, in this order.',
    'x-allowed': 'must be names of fields, joined with commas',
  }),
)
const Name = Text(63, {
  pattern: namePattern,
  description: 'Unique in its project.',
  'x-allowed': 'must be up to 63 letters, digits and _, beginning with a letter',
})

/** Datasets and their records. */
export const datasetOperations = {
  listDatasets: operation({
    ...platform,
    id: 'listDatasets',
    method: 'GET',
    path: '/api/v1/datasets',
    summary: 'The datasets of the caller’s projects, or of one, by project and name',
    access: 'signedIn',
    parameters: Type.Object({ projectId: Type.Optional(ProjectId), ...platformPaging }),
    result: PlatformPage(Dataset),
    errors: ['project_not_found'],
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
    parameters: Type.Object({
      projectId: ProjectId,
      name: Name,
      description: Type.Optional(Text(500)),
      fields: Schema,
    }),
    result: DatasetDetail,
    errors: ['dataset_name_taken'],
    redact: [],
  }),
  getDataset: operation({
    ...platform,
    id: 'getDataset',
    method: 'GET',
    path: '/api/v1/datasets/{datasetId}',
    summary: 'A dataset with its schema',
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
    summary: 'Delete a dataset with all its records, for ever',
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
    summary: 'The records of a dataset, newest first',
    access: { action: 'dataset.read', by: 'datasetId' },
    parameters: Type.Object({ datasetId: DatasetId, filter: Filter, fields: Fields, ...platformPaging }),
    result: PlatformPage(DatasetRecord),
    errors: [],
    redact: [],
  }),
  exportRecords: operation({
    ...platform,
    id: 'exportRecords',
    method: 'GET',
    path: '/api/v1/datasets/{datasetId}/export',
    summary: 'All records of a dataset as of one moment, newest first, streamed as NDJSON or CSV',
    access: { action: 'dataset.read', by: 'datasetId' },
    media: ['application/x-ndjson', 'text/csv'],
    parameters: Type.Object({
      datasetId: DatasetId,
      format: Type.Optional(
        Type.Enum(['ndjson', 'csv'], {
          default: 'ndjson',
          description: 'ndjson: one JSON object a line. csv: RFC 4180 with a header line.',
          'x-allowed': 'must be ndjson or csv',
        }),
      ),
      filter: Filter,
      fields: Fields,
      formulas: Type.Optional(
        Type.Enum(['escape', 'keep'], {
          default: 'escape',
          description:
            'Of CSV: texts that a spreadsheet would take for a formula (they begin with = + - @ or a control character), and those that begin with an apostrophe, get an apostrophe in front; keep leaves them.',
          'x-allowed': 'must be escape or keep',
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
    summary: 'Append records: all of them, or none',
    access: { action: 'dataset.append', by: 'datasetId' },
    body: ['json'],
    maxBody: datasetLimits.appendBytes,
    parameters: Type.Object({
      datasetId: DatasetId,
      records: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        minItems: 1,
        maxItems: datasetLimits.records,
        description: 'Objects with a value for each field of the schema; null is the same as none.',
        'x-allowed': `must be a list of 1 to ${datasetLimits.records} objects`,
      }),
      batchId: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9_-]{1,64}$',
          description: 'Of the caller’s making: the same records with the same batchId within a day are stored once.',
          'x-allowed': 'must be up to 64 letters, digits, _ and -',
        }),
      ),
    }),
    result: Type.Object({ appended: Type.Integer({ description: 'How many records were stored by this batch.' }) }),
    errors: ['dataset_built_in', 'batch_conflict'],
    redact: [],
  }),
  deleteRecords: operation({
    ...platform,
    id: 'deleteRecords',
    method: 'DELETE',
    path: '/api/v1/datasets/{datasetId}/records',
    summary: 'Delete the records that a filter picks, for ever',
    access: { action: 'dataset.delete', by: 'datasetId' },
    parameters: Type.Object({
      datasetId: DatasetId,
      filter: Text(4096, {
        description: 'As in reading; `recordId=…` picks one. There is no deletion without a filter.',
        'x-allowed': 'must be conditions such as recordId=0123456789abcdef0123456789abcdef',
      }),
    }),
    result: Type.Object({ deleted: Type.Integer() }),
    errors: ['dataset_built_in'],
    redact: [],
  }),
}
