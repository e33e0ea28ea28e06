import { expect, test } from 'vitest'
import { pagesOf, projectOf } from '../../test/project.ts'
import { MiniApp } from '../miniApp.ts'
import { namespaces } from '../namespaces.ts'
import { mayNeedNeu, neuModules } from '../neuModules.ts'
import { migrate } from './migrate/index.ts'
import { apis, exportedNames } from './migrate/runtime.generated.ts'
import { capsule } from './plugins/capsule.ts'

test('the runtime exports every namespace', () => {
  expect(exportedNames).toEqual(expect.arrayContaining([...namespaces]))
})

async function reported(script: string, template = '<view />') {
  const project = await projectOf({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<template>${template}</template>\n<script>\n${script}\n</script>\n`,
  })
  const { findings, works } = await migrate({ project })
  return { functions: works.functions, findings: findings.map(({ section, subject }) => `${section} ${subject}`) }
}

const differing = apis.find(({ missing, differs }) => missing.length === 0 && differs)!.name

test.each(namespaces)(
  '%s: migrate counts its functions and reports those that are missing or differ',
  async (object) => {
    const { functions, findings } = await reported(
      `export default { methods: { a() { ${object}.navigateTo({}); ${object}?.navigateTo({}); ${object}.startWifi(); ${object}.${differing}() } } }
const { startHCE, getLocale } = ${object}
${object}['stopWifi']()`,
      `<view @tap="${object}.navigateBack()">{{ ${object}.startBeaconDiscovery() }}</view>`,
    )
    expect(functions).toEqual({ navigateTo: 2, navigateBack: 1, getLocale: 1, [differing]: 1 })
    expect(findings.sort()).toEqual(
      [
        `differs ${object}.${differing}`,
        ...['startBeaconDiscovery', 'startHCE', 'startWifi', 'stopWifi'].map((name) => `missing ${object}.${name}`),
      ].sort(),
    )
  },
)

test.each(namespaces)('%s: migrate does not report what a script tests, defines or declares itself', async (object) => {
  const { findings } = await reported(
    `${object}.$u.toast(${object}.anything)
${object}.share = () => {}
${object}.share()
if (${object}.startHCE) ${object}.startHCE()
${object}.startCompass?.()`,
  )
  expect(findings).toEqual([])
  expect((await reported(`import ${object} from './own.js'\n${object}.startWifi()`)).findings).toEqual([
    'change ./own.js',
  ])
  for (const other of namespaces)
    expect((await reported(`if (${object}.canIUse('startHCE.success')) ${other}.startHCE()`)).findings).toEqual([])
})

test.each(namespaces)('%s: builds load the parts of the runtime that it needs', (object) => {
  for (const [code, modules] of [
    [`${object}.navigateTo({})`, []],
    [`${object}.setStorageSync('a', 1)`, ['neu/storage']],
    [`const { showToast } = ${object}`, ['neu']],
  ] as const) {
    expect(neuModules(code)).toEqual(modules)
    expect(mayNeedNeu.test(code)).toBe(true)
  }
})

test.each(namespaces)('%s: a test for the capsule finds none on H5', (object) => {
  const { handler } = capsule(new MiniApp({ platform: 'H5' })).transform as {
    handler: (code: string, id: string) => { code: string } | undefined
  }
  const name = 'getMenuButtonBoundingClientRect'
  expect(handler(`if (${object}.${name}) ${object}.${name}()`, '/a.js')?.code).toBe(
    `if (undefined) ${object}.${name}()`,
  )
})
