import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const root = join(import.meta.dirname, '..')

/**
 * Launches the Chromium from the npm package, which needs no system packages, fonts or privileges (ADR 223). `flags`
 * are added to its command line.
 */
export async function launchChromium(flags: string[] = []): Promise<Browser> {
  const home = await unpackChromium()
  // This build of Chromium sometimes crashes at its start.
  return await launch(home, flags).catch(() => launch(home, flags))
}

async function launch(home: string, flags: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: join(home, 'chromium'),
    env: { ...process.env, ...variablesOf(home), HOME: process.env.HOME ?? tmpdir() },
    chromiumSandbox: false,
    // Playwright has the processes share memory as files in /tmp, since /dev/shm is small in most containers. Where it
    // is not, it saves a twelfth of the processor time of the tests.
    ignoreDefaultArgs: (await hasSharedMemory()) ? ['--disable-dev-shm-usage'] : [],
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--no-pings',
      '--disable-features=SpareRendererForSitePerProcess',
      '--disable-gpu',
      // Pages are drawn by the CPU either way. A separate process costs a tenth of the processor time of the browser.
      '--in-process-gpu',
      // Saves the messages to a process for the network.
      '--enable-features=NetworkServiceInProcess2',
      '--font-render-hinting=none',
      // Keys and wheels scroll at once: on a busy machine an animation can be interrupted by what it brings into view.
      '--disable-smooth-scrolling',
      ...flags,
    ],
  })
}

/** Returns the variables with which the Chromium in a folder finds its libraries and fonts. */
export const variablesOf = (home: string): { LD_LIBRARY_PATH: string; FONTCONFIG_PATH: string } => ({
  LD_LIBRARY_PATH: [join(home, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  FONTCONFIG_PATH: join(home, 'fonts'),
})

/** Returns whether /dev/shm has room for several browsers. */
async function hasSharedMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 2e9
}

/** Unpacks Chromium into node_modules/.cache, unless it has been unpacked before, and returns its folder. */
export async function unpackChromium(): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  ) as { version: string }
  const home = join(root, 'node_modules/.cache', `chromium-${version}`)
  if (!existsSync(home)) await unpack(home)
  return home
}

/** Unpacks into a temporary folder and renames it, so that a partial copy is never used. */
async function unpack(home: string): Promise<void> {
  console.error('Unpacking Chromium …')
  const partial = `${home}.${process.pid}`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  // In a separate process, since programs started at the same time inherit the environment of this one.
  const env = { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  const script = fileURLToPath(new URL('./unpackChromium.mjs', import.meta.url))
  await promisify(execFile)(process.execPath, [script], { env })
  const fonts = join(partial, 'fonts/fonts.conf')
  await writeFile(fonts, (await readFile(fonts, 'utf8')).replaceAll('/tmp/', `${home}/`))
  // Other users must be able to run it, too.
  await chmod(join(partial, 'chromium'), 0o755)
  await rename(partial, home).catch(async (error: unknown) => {
    // Another run has unpacked it in the meantime.
    if (!existsSync(home)) throw error
    await rm(partial, { recursive: true })
  })
}
