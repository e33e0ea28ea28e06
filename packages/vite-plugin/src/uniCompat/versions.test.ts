import { expect, test } from 'vitest'
import { projectOf } from '../../test/project.ts'
import { chooseVersion, includesMajor } from './versions.ts'

test.each([
  ['10.0.4', [10]],
  ['^9.14.0', [9]],
  ['~9.1', [9]],
  ['v9', [9]],
  ['= 9.0.0-beta.1', [9]],
  ['9.x', [9]],
  ['npm:@other/name@^10.0.0', [10]],
  ['^9.0.0 || ^11', [9, 11]],
  ['9 - 10', [9, 10]],
  ['>= 10', [10, 11]],
  ['>9 <=10.1', [9, 10]],
  ['>=9 <11.0.0', [9, 10]],
  ['>=9 <11.1', [9, 10, 11]],
  ['<10', [8, 9]],
  ['*', [8, 9, 10, 11]],
  ['', [8, 9, 10, 11]],
])('the range %j includes the major versions %j', (range, included) => {
  expect([8, 9, 10, 11].filter((major) => includesMajor(range, major))).toEqual(included)
})

test.each([
  'latest',
  'workspace:*',
  'catalog:',
  'file:../i18n',
  'github:intlify/vue-i18n#9',
  'https://a.example/9.tgz',
])('no major version can be told from %s', (range) => {
  expect(includesMajor(range, 9)).toBeUndefined()
})

test('takes the range of dependencies before those of other groups', async () => {
  const folder = await projectOf({
    'package.json': { peerDependencies: { 'vue-i18n': '9' }, devDependencies: { 'vue-i18n': '10' } },
  })
  expect(chooseVersion(folder, 'vue-i18n')).toEqual({ source: 'vue-i18n-10' })
})
