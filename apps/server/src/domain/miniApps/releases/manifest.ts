import {
  type CustomEventDeclaration,
  type CustomEventDeclarations,
  findEventsProblem,
  type ReleasePlatform,
  releasePlatforms,
  runtimeVersionPattern,
} from '@souk/contract'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Build, document, manifestFile } from './readArchive.ts'
import { readTabs, type Tab } from './tabs.ts'
import { releaseRefused } from './unpack.ts'

/** The database cannot store U+0000 and halves of surrogate pairs; other control characters are mistakes. */
const PagePath = Type.String({ minLength: 1, maxLength: 255, pattern: /^[^\p{Cc}\p{Cs}]*$/u.source })

const maxPages = 1000
const maxHostFunctions = 100

/** The part of souk-app.json that the server needs. Hosts read the rest and do not trust it. */
const Manifest = Type.Object({
  version: Type.Literal(1),
  hostFunctions: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,63}$' }), { maxItems: maxHostFunctions, uniqueItems: true }),
  ),
  customEvents: Type.Optional(Type.Unknown()),
  minRuntime: Type.Optional(Type.String({ pattern: runtimeVersionPattern })),
  app: Type.Object({ platform: Type.Enum([...releasePlatforms]), launch: Type.String({ maxLength: 255 }) }),
  pages: Type.Array(Type.Object({ path: PagePath }), { minItems: 1, maxItems: maxPages }),
})
const manifest = Compile(Manifest)

interface ReleaseManifest {
  platform: ReleasePlatform
  pages: string[]
  tabs: Tab[]
  /** Functions of the host that it asks for. */
  hostFunctions: string[]
  /** Events that it reports. */
  customEvents: CustomEventDeclarations
  /** Minimum version of the runtime in hosts; null if every version will do. */
  minRuntime: string | null
}

/**
 * Reads the platform, the page paths, the tabs, the functions of the host, the custom events and the required runtime
 * of a build from its manifest, in time linear in its size.
 * @throws SoukError `release_refused` if index.html or souk-app.json is missing or invalid
 */
export function readManifest(build: Build): ReleaseManifest {
  const { files, manifest: text } = build
  if (!files.has(document)) throw releaseRefused(missing(files, document))
  if (text === undefined) throw releaseRefused(missing(files, manifestFile))
  const found = parseJson(text)
  // The schema would check each of them.
  if (countPages(found) > maxPages) throw releaseRefused(`${manifestFile} has more than ${maxPages} pages.`)
  const [fault] = manifest.Errors(found)
  if (fault) throw releaseRefused(`${manifestFile} is invalid at ${fault.instancePath || '/'}: it ${fault.message}.`)
  const { app, pages, hostFunctions = [], minRuntime } = found as Static<typeof Manifest>
  const customEvents = readCustomEvents(found as Static<typeof Manifest>)
  const paths = [...new Set(pages.map(({ path }) => path))]
  if (!paths.includes(app.launch)) throw releaseRefused(`${manifestFile} does not list its launch page.`)
  return {
    platform: app.platform,
    pages: paths,
    tabs: readTabs(app, paths),
    hostFunctions,
    customEvents,
    minRuntime: minRuntime ?? null,
  }
}

function readCustomEvents({ customEvents = {} }: Static<typeof Manifest>): CustomEventDeclarations {
  const problem = findEventsProblem(customEvents)
  if (problem !== undefined) throw releaseRefused(`${manifestFile}, customEvents: ${problem}.`)
  const declared = Object.entries(customEvents as Record<string, Partial<CustomEventDeclaration>>)
  return Object.fromEntries(
    declared.map(([name, { description, fields }]) => [name, { description: description ?? '', fields: fields ?? {} }]),
  )
}

function countPages(found: unknown): number {
  const pages = (found as { pages?: unknown } | null)?.pages
  return Array.isArray(pages) ? pages.length : 0
}

function missing(files: Build['files'], name: string): string {
  const nested = [...files.keys()].find((path) => path.endsWith(`/${name}`))
  const hint = nested
    ? `It is in ${JSON.stringify(nested.slice(0, -name.length))}: pack the contents of that folder, not the folder itself.`
    : 'Pack the folder that souk build writes.'
  return `${name} is missing in its root folder. ${hint}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw releaseRefused(`${manifestFile} is not valid JSON.`)
  }
}
