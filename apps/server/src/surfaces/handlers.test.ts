import { expect, test } from 'vitest'
import * as operators from '../domain/console/index.ts'
import * as installation from '../domain/installation/index.ts'
import * as messages from '../domain/messages/index.ts'
import * as miniApps from '../domain/miniApps/index.ts'
import * as money from '../domain/money/index.ts'
import * as operations from '../domain/operations/index.ts'
import * as users from '../domain/users/index.ts'

test('no two wings export the same name, of which the handlers of a surface would silently have the last', () => {
  const wings = { operations, money, miniApps, operators, users, messages, installation }
  const names = Object.values(wings).flatMap((wing) => Object.keys(wing))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
