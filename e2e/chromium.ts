import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserServer, chromium } from 'playwright-core'

const root = join(import.meta.dirname, '..')

/**
 * Starts the Chromium that came with npm: it needs nothing of the machine, neither packages nor fonts nor rights (ADR 223).
 * It is unpacked once, into node_modules/.cache.
 */
export async function startChromium(): Promise<BrowserServer> {
  const { version } = JSON.parse(
    await readFile(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  ) as { version: string }
  const home = join(root, 'node_modules/.cache', `chromium-${version}`)
  if (!existsSync(home)) await unpack(home)
  return await chromium.launchServer({
    executablePath: join(home, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: [join(home, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: join(home, 'fonts'),
      HOME: process.env.HOME ?? tmpdir(),
    },
    chromiumSandbox: false,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--no-pings',
      '--disable-features=SpareRendererForSitePerProcess',
      '--disable-gpu',
      '--font-render-hinting=none',
    ],
  })
}

/** The package unpacks into the folder for temporary files; half an unpacking must never be taken for a whole one. */
async function unpack(home: string): Promise<void> {
  console.error('Unpacking Chromium …')
  const partial = `${home}.${process.pid}`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  const { TMPDIR, AWS_EXECUTION_ENV } = process.env
  // Only for a machine of this kind does the package unpack the libraries that a bare one lacks.
  Object.assign(process.env, { TMPDIR: partial, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  } finally {
    restore('TMPDIR', TMPDIR)
    restore('AWS_EXECUTION_ENV', AWS_EXECUTION_ENV)
  }
  const fonts = join(partial, 'fonts/fonts.conf')
  await writeFile(fonts, (await readFile(fonts, 'utf8')).replaceAll('/tmp/', `${home}/`))
  // Whoever runs the tests next need not be who runs them now.
  await chmod(join(partial, 'chromium'), 0o755)
  await rename(partial, home).catch(async (error: unknown) => {
    // Another run was faster.
    if (!existsSync(home)) throw error
    await rm(partial, { recursive: true })
  })
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}
