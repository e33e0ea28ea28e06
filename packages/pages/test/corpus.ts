import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// The pages.json files used by tests, fuzzing and benches.

interface CorpusFile {
  name: string
  text: string
}

export interface Corpus {
  name: string
  folder: string
  files: readonly CorpusFile[]
}

const root = join(import.meta.dirname, '../../..')

/** The files in `corpus/`, which its README lists. */
export const samples = readCorpus('sample files', join(import.meta.dirname, 'corpus'))!

/** Files of other projects, which cannot be published here; used in addition if `../shared/corpus` exists. */
export const thirdParty = readCorpus('third-party files', join(root, '../shared/corpus'))

export const corpora = thirdParty ? [samples, thirdParty] : [samples]

function readCorpus(name: string, folder: string): Corpus | undefined {
  if (!existsSync(folder)) return undefined
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return { name, folder, files: names.sort().map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })) }
}

const departments = [
  'Admissions',
  '急诊',
  'الأشعة',
  'Pharmacy',
  'Laboratory',
  '住院部',
  'الطوارئ',
  'Dialysis',
  'Canteen',
]
const tasks = ['List', 'Details', 'New entry', 'Approve', 'Schedule', 'History', 'Reports', 'Settings']

/** Returns a file of about 100 KB, the same one each time: a hospital's staff app with 50 subpackages. */
export function largeFile(): string {
  const bar = { type: 'float', backgroundColor: 'rgba(255,255,255,0.9)', titleColor: '#134E4A' }
  const pageOf = (department: string, index: number) => {
    const task = tasks[index % tasks.length]!
    const style = {
      navigationBarTitleText: `${department} · ${task}`,
      ...(index % 3 === 0 && { enablePullDownRefresh: true, onReachBottomDistance: 40 + 10 * (index % 7) }),
      ...(index % 4 === 1 && { 'app-plus': { bounce: 'none', titleNView: { ...bar, buttons: [{ type: 'share' }] } } }),
      ...(index % 5 === 2 && { h5: { pullToRefresh: { color: '#0F766E', offset: `${index % 9}px` } } }),
      ...(index % 12 === 0 && { navigationStyle: 'custom', disableScroll: true }),
      ...(index % 13 === 5 && { 'mp-weixin': { usingComponents: { 'staff-badge': '/wxcomponents/badge/index' } } }),
    }
    return { path: `${task.toLowerCase().replace(' ', '-')}/${index}`, style }
  }
  const subPackages = Array.from({ length: 50 }, (_, number) => {
    const department = departments[number % departments.length]!
    const pages = Array.from({ length: 8 }, (_, index) => pageOf(department, number * 8 + index))
    const text = JSON.stringify({ root: `wards/w${number}`, pages }, null, '\t').replaceAll('\n', '\n\t\t')
    const comment = `\t\t// ${department}, ward ${number}`
    if (number % 10 !== 4) return `${comment}\n\t\t${text},`
    return `\t\t// #ifdef H5 || APP-PLUS\n${comment}\n\t\t${text},\n\t\t// #endif`
  })
  const style = { navigationBarTextStyle: 'white', navigationBarBackgroundColor: '#134E4A', backgroundColor: '#FFFFFF' }
  return `{
\t"pages": [
\t\t{ "path": "pages/duty/duty", "style": { "navigationBarTitleText": "On duty" } },
\t\t{ "path": "pages/wards/wards", "style": { "navigationBarTitleText": "Wards" } },
\t\t{ "path": "pages/me/me", "style": { "navigationBarTitleText": "Me" } }
\t],
\t"subPackages": [
${subPackages.join('\n')}
\t],
\t"globalStyle": ${JSON.stringify(style)},
\t"tabBar": {
\t\t"color": "#94A3B8",
\t\t"selectedColor": "#134E4A",
\t\t"backgroundColor": "#FFFFFF",
\t\t"list": [
\t\t\t{ "pagePath": "pages/duty/duty", "text": "On duty", "iconPath": "static/duty.png" },
\t\t\t{ "pagePath": "pages/wards/wards", "text": "Wards", "iconPath": "static/wards.png" },
\t\t\t{ "pagePath": "pages/me/me", "text": "Me", "iconPath": "static/me.png" }
\t\t]
\t}
}
`
}
