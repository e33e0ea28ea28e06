import { type FieldType, ownSystemFields } from '@souk/contract'
import { type Source, type SourceField, timeField, uuidField } from './source.ts'

/** A field as it was declared when the dataset was created. */
export interface DeclaredField {
  name: string
  type: FieldType
  required: boolean
  description: string | null
}

const systemFields: Record<(typeof ownSystemFields)[number], SourceField> = {
  recordId: uuidField('recordId', 't.record_id', { description: 'Given when the record was appended.' }),
  recordTime: timeField('recordTime', 't.ctime', { description: 'When the record was appended.' }),
}

/** The records that members appended to a dataset. */
export function ownSource(declared: readonly DeclaredField[]): Source {
  return {
    from: 'dataset_records t',
    scope: { sql: 't.dataset_id', type: 'uuid' },
    key: [{ sql: 't.record_id', type: 'uuid' }],
    fields: [...ownSystemFields.map((name) => systemFields[name]), ...declared.map(declaredField)],
  }
}

function declaredField(field: DeclaredField): SourceField {
  const name = identifier(field.name)
  const json = `t.record->'${name}'`
  const text = `t.record->>'${name}'`
  const { type } = field
  // PostgreSQL may look at a condition before it knows that the row is of this dataset, where the name may mean another type.
  const asNumber = `case when jsonb_typeof(${json}) = 'number' then (${json})::numeric end`
  const asBoolean = `case when jsonb_typeof(${json}) = 'boolean' then (${json})::boolean end`
  return {
    ...field,
    generated: false,
    json: type === 'string' ? text : json,
    text: type === 'json' ? `(${json})::text` : text,
    compared:
      type === 'json'
        ? undefined
        : type === 'string'
          ? { sql: `(${text})`, type: 'text' }
          : type === 'boolean'
            ? { sql: `(${asBoolean})`, type: 'boolean' }
            : { sql: `(${asNumber})`, type: 'numeric' },
    chosen: type === 'string',
  }
}

/** A name that can stand in SQL as it is. Names were held to this when the dataset was created; nothing else gets here. */
export function identifier(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(name)) throw new Error('a field has a name that cannot be')
  return name
}
