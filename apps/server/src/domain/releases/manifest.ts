import { type ReleasePlatform, releasePlatforms } from '@souk/contract'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { releaseRefused } from './unpack.ts'

export const manifestFile = 'souk-app.json'
export const document = 'index.html'

/** The part of souk-app.json that the server needs; hosts read the rest and trust none of it. */
const Manifest = Type.Object({
  version: Type.Literal(1),
  app: Type.Object({ platform: Type.Enum([...releasePlatforms]), launch: Type.String({ maxLength: 255 }) }),
  pages: Type.Array(Type.Object({ path: Type.String({ minLength: 1, maxLength: 255 }) }), {
    minItems: 1,
    maxItems: 1000,
  }),
})
const manifest = Compile(Manifest)

/** Bytes. */
const largestManifest = 1024 * 1024

/**
 * What the build says about itself: its platform and the paths of its pages.
 * @throws SoukError `release_refused` where index.html or souk-app.json is missing or is none
 */
export function readManifest(files: ReadonlyMap<string, Buffer>): { platform: ReleasePlatform; pages: string[] } {
  for (const name of [document, manifestFile]) if (!files.has(name)) throw releaseRefused(missing(files, name))
  const found = parsed(files.get(manifestFile)!)
  const [fault] = manifest.Errors(found)
  if (fault)
    throw releaseRefused(
      `${manifestFile} is not as the build writes it: ${fault.instancePath || '/'} ${fault.message}.`,
    )
  const { app, pages } = found as Static<typeof Manifest>
  const paths = [...new Set(pages.map(({ path }) => path))]
  if (!paths.includes(app.launch)) throw releaseRefused(`${manifestFile} does not list its launch page.`)
  return { platform: app.platform, pages: paths }
}

function missing(files: ReadonlyMap<string, Buffer>, name: string): string {
  const below = [...files.keys()].find((path) => path.endsWith(`/${name}`))
  const hint = below
    ? `It is in ${JSON.stringify(below.slice(0, -name.length))}: pack what is in that folder, not the folder.`
    : 'Pack the folder that souk build writes.'
  return `${name} is missing at its top. ${hint}`
}

function parsed(content: Buffer): unknown {
  if (content.length > largestManifest) throw releaseRefused(`${manifestFile} is larger than 1 MB.`)
  try {
    return JSON.parse(content.toString())
  } catch {
    throw releaseRefused(`${manifestFile} is not JSON.`)
  }
}
