import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { platforms } from '@souk/pages'
import { expect, onTestFinished, test, vi } from 'vitest'
import { migrate, release, serve } from '../src/index.ts'
import { loadProjectConfig } from '../src/projectConfig.ts'
import { type Framework, frameworks } from '../src/uniCompat/frameworks.ts'
import { pluginPackages } from '../src/uniCompat/packageNames.ts'
import { withBrowser } from './browser.ts'
import { projectOf, textOf } from './project.ts'

const browser = withBrowser()

test('no other file names a package of a framework, so that a line in the table is enough', () => {
  const packages = join(import.meta.dirname, '../..')
  const files = globSync('{cli,create-miniapp,language-server,pages,project,vite-plugin}/src/**/*.ts', {
    cwd: packages,
    exclude: (path) => /(?:\.test|frameworks)\.ts$/.test(path),
  })
  const scopes = new RegExp(frameworks.map(({ scope }) => `${scope}\\b`).join('|'))
  const naming = files.filter((file) => {
    const code = readFileSync(join(packages, file), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*/gm, '')
    return scopes.test(code)
  })
  expect(files.length).toBeGreaterThan(100)
  expect(naming).toEqual([])
})

/** A project as a framework creates it: its packages are listed, and not installed. */
function projectFor({ scope, name }: Framework) {
  const app = `${scope}/${name}-app`
  const plugin = `${scope}/vite-plugin-${name}`
  const version = '3.0.0-3090920240902001'
  return {
    'package.json': {
      scripts: { dev: name, build: `${name} build -p app` },
      dependencies: { [app]: version, [`${scope}/${name}-h5`]: version, vue: '^3.2.47', kit: '1' },
      devDependencies: { [plugin]: version, [`${scope}/${name}-cli-shared`]: version, vite: '4.3.5' },
    },
    'vite.config.js': `import { defineConfig } from 'vite'
import plugin from '${plugin}'
export default defineConfig({ plugins: [plugin()], define: { TEXT: '"configured"' } })`,
    'postcss.config.js': `module.exports = { plugins: [require('${scope}/missing')] }`,
    'node_modules/kit/package.json': { name: 'kit', version: '1.0.0', type: 'module', main: 'index.js' },
    'node_modules/kit/index.js': `import { onLoad } from '${app}'\nexport const inKit = typeof onLoad`,
    'src/manifest.json': { appid: '' },
    'src/pages.json': { pages: [{ path: 'pages/index' }] },
    'src/main.js': `import { createSSRApp } from 'vue'
import App from './App.vue'
export function createApp() {
  return { app: createSSRApp(App) }
}`,
    'src/App.vue': `<script setup>\nimport { onLaunch } from '${app}'\nonLaunch(() => { globalThis.launched = 'launched' })\n</script>`,
    'src/hooks.ts': `import type { Page } from '${app}'\nexport * from '${app}'`,
    'src/pages/index.vue': `<script setup>
import '${app}'
import * as all from '${app}'
import { onShow as shownByFile } from '${app}/dist/${name}-app.es.js'
import { initVueI18n } from '${scope}/${name}-i18n'
import { inKit } from 'kit'
import { ref } from 'vue'
import { onLoad } from '../hooks.ts'
const words = ref([TEXT, globalThis.launched, inKit])
const { t } = initVueI18n({ en: { hello: 'Hello' } }, 'en')
onLoad(() => words.value.push('loaded'))
all.onShow(() => words.value.push('shown'))
shownByFile(() => words.value.push(t('hello')))
import('${app}').then(({ onReady }) => words.value.push(typeof onReady))
</script>
<template><text id="words">{{ words.join() }}</text><navigator id="link" url="/pages/index">Link</navigator></template>`,
  }
}

test.each(frameworks)('builds and runs projects of $scope/$name-app, unchanged', async (framework) => {
  // The build warns about a static and a dynamic import of the same module.
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  const project = await projectOf(projectFor(framework))
  for (const platform of platforms) {
    const { folder, files } = await release({ project, platform })
    const scripts = await textOf(folder, files, '.js')
    expect(scripts).toContain('configured')
    expect(scripts).not.toContain(framework.scope)
  }
  const { findings } = await migrate({ project })
  expect(findings.filter(({ section }) => section !== 'differs')).toEqual([])

  const { urls, close } = await serve({ project, platform: 'H5' })
  const page = await browser().newPage()
  onTestFinished(async () => {
    await page.close()
    await close()
  })
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(urls[0]!)
  await expect
    .poll(() => page.locator('#words').textContent())
    .toBe('configured,launched,function,loaded,shown,Hello,function')
  // Its version is one of those that put the link of a navigator around it.
  expect(await page.locator('#link').evaluate(({ parentElement }) => parentElement!.localName)).toBe('a')
  expect(faults).toEqual([])
})

test.each(frameworks)('reads every form of vite.config with the plug-in of $scope/$name-app', async (framework) => {
  const plugin = `${framework.scope}/vite-plugin-${framework.name}`
  const define = `define: { TEXT: '"configured"' }`
  for (const config of [
    `import { default as plugin } from "${plugin}"\nexport default { plugins: [plugin()], ${define} }`,
    `const plugin = require("${plugin}")\nmodule.exports = { plugins: [plugin()], ${define} }`,
    `const plugin = require('${plugin}').default\nmodule.exports = { plugins: [plugin()], ${define} }`,
    `export default async () => ({ plugins: [(await import('${plugin}')).default()], ${define} })`,
  ]) {
    const folder = await projectOf({ 'vite.config.js': config })
    const loaded = await loadProjectConfig(folder, { command: 'build', mode: 'production' }, pluginPackages)
    expect(loaded).toMatchObject({ define: { TEXT: '"configured"' } })
  }
})

test.each(frameworks)('finds the variables for colors that $scope/$name-h5 has', async ({ scope, name }) => {
  const files = projectFor({ scope, name })
  const css = 'body,\nuni-page-body {\n  color: var(--UI-FG-0);\n}'
  const project = await projectOf({ ...files, [`node_modules/${scope}/${name}-h5/style/framework/base.css`]: css })
  const { folder, files: built } = await release({ project, platform: 'H5' })
  expect(await textOf(folder, built, '.html')).toContain('--UI-FG-0')
})

test.each(frameworks)('reports what $scope/$name-app does not export, and hooks that are never called', async (its) => {
  const app = `${its.scope}/${its.name}-app`
  const project = await projectOf({
    ...projectFor(its),
    'src/pages/index.vue': `<script setup>\nimport { onShareTimeline, onNothing } from '${app}'\n</script>`,
  })
  const { findings } = await migrate({ project })
  expect(findings.filter(({ section }) => section !== 'differs')).toMatchObject([
    { section: 'missing', subject: 'onShareTimeline' },
    { section: 'change', subject: 'onNothing', message: `not exported by ${app} here: remove the import` },
  ])
})
