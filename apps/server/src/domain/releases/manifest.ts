import { type ReleasePlatform, releasePlatforms } from '@souk/contract'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { releaseRefused } from './unpack.ts'

export const manifestFile = 'souk-app.json'
export const document = 'index.html'

/** The part of souk-app.json that the server needs. Hosts read the rest and do not trust it. */
const Manifest = Type.Object({
  version: Type.Literal(1),
  app: Type.Object({ platform: Type.Enum([...releasePlatforms]), launch: Type.String({ maxLength: 255 }) }),
  pages: Type.Array(Type.Object({ path: Type.String({ minLength: 1, maxLength: 255 }) }), {
    minItems: 1,
    maxItems: 1000,
  }),
})
const manifest = Compile(Manifest)

/** Maximum size in bytes. */
const maxManifestSize = 1024 * 1024

/**
 * Reads the platform and the page paths of a build from its manifest.
 * @throws SoukError `release_refused` if index.html or souk-app.json is missing or invalid
 */
export function readManifest(files: ReadonlyMap<string, Buffer>): { platform: ReleasePlatform; pages: string[] } {
  for (const name of [document, manifestFile]) if (!files.has(name)) throw releaseRefused(missing(files, name))
  const found = parseJson(files.get(manifestFile)!)
  const [fault] = manifest.Errors(found)
  if (fault) throw releaseRefused(`${manifestFile} is invalid at ${fault.instancePath || '/'}: it ${fault.message}.`)
  const { app, pages } = found as Static<typeof Manifest>
  const paths = [...new Set(pages.map(({ path }) => path))]
  if (!paths.includes(app.launch)) throw releaseRefused(`${manifestFile} does not list its launch page.`)
  return { platform: app.platform, pages: paths }
}

function missing(files: ReadonlyMap<string, Buffer>, name: string): string {
  const nested = [...files.keys()].find((path) => path.endsWith(`/${name}`))
  const hint = nested
    ? `It is in ${JSON.stringify(nested.slice(0, -name.length))}: pack the contents of that folder, not the folder itself.`
    : 'Pack the folder that souk build writes.'
  return `${name} is missing in its root folder. ${hint}`
}

function parseJson(content: Buffer): unknown {
  if (content.length > maxManifestSize) throw releaseRefused(`${manifestFile} is larger than 1 MB.`)
  try {
    return JSON.parse(content.toString())
  } catch {
    throw releaseRefused(`${manifestFile} is not valid JSON.`)
  }
}
