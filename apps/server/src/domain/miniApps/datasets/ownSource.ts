import { type FieldType, ownSystemFields } from '@souk/contract'
import { type Source, type SourceField, timeField, uuidField } from './source.ts'

/** A field as declared when the dataset was created. */
export interface DeclaredField {
  name: string
  type: FieldType
  required: boolean
  description: string | null
}

const systemFields: Record<(typeof ownSystemFields)[number], SourceField> = {
  recordId: uuidField('recordId', 't.record_id', { description: 'Assigned when the record was appended.' }),
  recordTime: timeField('recordTime', 't.ctime', { description: 'Time at which the record was appended.' }),
}

/** Returns the source of the records that members appended to a dataset. */
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
  // PostgreSQL may evaluate a condition on rows of other datasets, in which the field may have another type.
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
    freeText: type === 'string',
  }
}

/** Returns a field name that is safe in SQL. Names were validated when the dataset was created, so it never throws. */
export function identifier(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(name)) throw new Error('invalid field name in a stored schema')
  return name
}
