import { describe, expect, inject, test } from 'vitest'
import { faultsOfPages, type Look, misfits } from './console.ts'

const { projectId, emptyProjectId, appid } = inject('fixture')
const project = `projects/${projectId}`

/** All pages with a URL. */
const pages: Record<string, string> = {
  projects: '',
  overview: project,
  'overview-empty': `projects/${emptyProjectId}`,
  apps: `${project}/apps`,
  'apps-empty': `projects/${emptyProjectId}/apps`,
  app: `${project}/apps/${appid}`,
  'app-feedback': `${project}/apps/${appid}/feedback`,
  'app-settings': `${project}/apps/${appid}/settings`,
  members: `${project}/members`,
  'project-settings': `${project}/settings`,
  audit: `${project}/audit`,
  profile: 'profile',
  missing: 'nowhere',
  'app-missing': `${project}/apps/a23456789012345`,
}
const entrance: Record<string, string> = { 'sign-in': 'sign-in', setup: 'setup' }

/** Axe examines the pages in one look per color scheme. */
const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]
const tablet: Look = { language: 'zh-CN', scheme: 'dark', device: 'tablet' }

describe.each(looks)('$language, $scheme, $device', (look) => {
  test('every page is accessible, fits the screen, breaks no policy', async () => {
    expect(await faultsOfPages(look, pages)).toEqual({})
  })
  test('so is every page before the sign-in', async () => {
    expect(await faultsOfPages(look, entrance, { session: null })).toEqual({})
  })
})

test('every page fits a tablet in Chinese and breaks no policy', async () => {
  expect(await faultsOfPages(tablet, pages, { find: misfits })).toEqual({})
  expect(await faultsOfPages(tablet, entrance, { session: null, find: misfits })).toEqual({})
})
