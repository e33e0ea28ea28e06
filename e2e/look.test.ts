import { describe, expect, inject, test } from 'vitest'
import { consolePage, faults, type Look, picture, settled } from './console.ts'

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
  members: `${project}/members`,
  audit: `${project}/audit`,
  profile: 'profile',
  missing: 'nowhere',
  'app-missing': `${project}/apps/a23456789012345`,
}
const entrance: Record<string, string> = { 'sign-in': 'sign-in', setup: 'setup' }

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]

describe.concurrent.each(looks)('$language, $scheme, $device', (look) => {
  async function visit(paths: Record<string, string>, session?: null): Promise<void> {
    const page = await consolePage(look, session)
    const found: Record<string, string[]> = {}
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path)
      await settled(page)
      await picture(page, `${name}.${look.language}.${look.scheme}.${look.device}`)
      expect(await page.locator('html').getAttribute('dir')).toBe(look.language === 'ar' ? 'rtl' : 'ltr')
      const here = await faults(page)
      if (here.length > 0) found[name] = here
    }
    expect(found).toEqual({})
  }

  test('every page is accessible, fits the screen, breaks no policy', () => visit(pages))
  test('so is every page before the sign-in', () => visit(entrance, null))
})
