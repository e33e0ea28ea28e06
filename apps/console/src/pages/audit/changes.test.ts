import { expect, test } from 'vitest'
import { fieldsOfDetail } from './changes.ts'

test('pairs old and new values, and keeps fields without an old one', () => {
  const detail = {
    name: 'Tea',
    iconUrl: null,
    enabled: false,
    before: { name: 'Coffee', iconUrl: 'https://a.example/' },
  }
  expect(fieldsOfDetail(detail)).toEqual([
    { name: 'name', before: 'Coffee', after: 'Tea' },
    { name: 'iconUrl', before: 'https://a.example/', after: '' },
    { name: 'enabled', before: undefined, after: 'false' },
  ])
  expect(fieldsOfDetail({ from: 'viewer', to: 'owner' })).toEqual([{ name: '', before: 'viewer', after: 'owner' }])
  expect(fieldsOfDetail({ from: 'viewer', to: null })).toEqual([{ name: '', before: 'viewer', after: '' }])
  expect(fieldsOfDetail({ scopes: ['a'], note: null })).toEqual([{ name: 'scopes', before: undefined, after: '["a"]' }])
  expect(fieldsOfDetail(null)).toEqual([])
})
