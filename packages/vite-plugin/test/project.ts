import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export type Files = Readonly<Record<string, string | Uint8Array | object>>

/** Creates a project in a temporary folder that is removed after the test. Objects are written as JSON. */
export async function projectOf(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-mini-app-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await writeFiles(folder, files)
  return folder
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const isText = typeof content === 'string' || content instanceof Uint8Array
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), isText ? content : JSON.stringify(content, null, 2))
  }
}

/** Returns a pages.json with these pages, and a file for each page that shows its path. */
export function pagesOf(paths: readonly string[], rest: object = {}): Record<string, string | object> {
  return {
    'pages.json': { pages: paths.map((path) => ({ path })), ...rest },
    ...Object.fromEntries(paths.map((path) => [`${path}.vue`, `<template><view>This is ${path}</view></template>\n`])),
  }
}

/** Returns the content of all files with the extension, concatenated. */
export async function textOf(folder: string, files: readonly { path: string }[], extension: string): Promise<string> {
  const chosen = files.filter(({ path }) => path.endsWith(extension))
  return (await Promise.all(chosen.map(({ path }) => readFile(join(folder, path), 'utf8')))).join('\n')
}
