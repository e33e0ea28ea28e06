import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/**
 * Finds flags that are set before an await and reset after it in the same block. If the await throws, they stay set,
 * and what they guard never runs again.
 */
function findUnsafeFlags(source: string): string[] {
  const lines = source.split('\n')
  return lines.flatMap((line, start) => {
    const [, indent, name] = /^( *)([\w.]+) = true$/.exec(line) ?? []
    if (indent === undefined) return []
    const rest = lines.slice(start + 1)
    const end = rest.findIndex((each) => each.trim() !== '' && !each.startsWith(indent))
    const block = rest.slice(0, end < 0 ? undefined : end)
    const reset = block.indexOf(`${indent}${name} = false`)
    return reset >= 0 && block.slice(0, reset).some((each) => /\bawait\b/.test(each)) ? [`${start + 1}: ${name}`] : []
  })
}

test('finds a flag that is reset after an await, unless it is in a finally block', () => {
  const unsafe = '  isBusy.value = true\n  await run()\n  isBusy.value = false\n'
  expect(findUnsafeFlags(unsafe)).toEqual(['1: isBusy.value'])
  expect(findUnsafeFlags(`${unsafe.replace('await run()', 'try {\n    await run()\n  } catch {}')}`)).toHaveLength(1)
  expect(
    findUnsafeFlags('  isBusy = true\n  try {\n    await run()\n  } finally {\n    isBusy = false\n  }\n'),
  ).toEqual([])
  expect(findUnsafeFlags('  isBusy = true\n  run()\n  isBusy = false\n')).toEqual([])
})

test('no flag stays set after an await that throws', () => {
  const files = globSync('{packages/{host-view,runtime,shell,tags},apps/host}/src/**/*.{ts,vue}', { cwd: root })
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) =>
    findUnsafeFlags(readFileSync(join(root, file), 'utf8')).map((flag) => `${file}:${flag}`),
  )
  expect(found).toEqual([])
})
