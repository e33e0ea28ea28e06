import { type Platform, platforms } from '@souk/pages'
import { tagsByName } from '../../template/tags.ts'
import * as ecosystem from './ecosystem.ts'

/** Souk's support for a feature of the ecosystem. */
export interface Support {
  /** The platforms that do not have it. */
  readonly missing: readonly Platform[]
  /** Difference to uni-app. */
  readonly differs?: string
  /** Why it is missing everywhere, and what to use instead. */
  readonly why?: string
}

/** Differences of tags that Souk has. */
const tagDifferences: Readonly<Record<string, string>> = {
  'recycle-list': 'cells are repeated by v-for; the attributes for and switch, and cell-slot, are missing',
  video: 'the controls are those of the browser; comments are not drawn',
  editor: 'a delta has text only; check lists are bullets; images cannot be resized',
  'navigation-bar': 'title, loading, front-color, background-color and their animation only',
  'page-meta': 'enable-pull-down-refresh needs another page that enables it in pages.json',
  map: "positions are WGS 84; tiles come from the operator's server, or a grid is drawn; without rotation and 3D",
  'movable-view': 'without inertia, damping and scaling',
  'web-view': 'pages in it have no cookies and no storage on App and Mini App',
  'cover-image': 'an image above its siblings; no tag is drawn natively',
  'cover-view': 'a view above its siblings; no tag is drawn natively',
}

/** The same, for one value of the attribute `mode`. */
const modeDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  picker: { region: 'mode="region" takes its places from range, like multiSelector' },
}

/** Returns the differences of a tag with any attributes, for the guide. */
export const tagDifference = (tag: string): string | undefined =>
  [tagSupport(tag)?.differs, ...Object.values(modeDifferences[tag] ?? {})].find((each) => each !== undefined)

/** Returns the attributes and events of uni-app that have no effect on a tag, as templates write them. */
export const ignoredAttributes = (tag: string): readonly string[] =>
  (tagsByName.get(tag)?.ignored ?? []).map((name) => name.replace(/^on-/, '@'))

/**
 * Returns the support of a tag in kebab case; undefined if it is not a tag of the ecosystem.
 *
 * @param isNative whether it is in a native page, such as .nvue
 */
export function tagSupport(tag: string, mode = '', isNative = true): Support | undefined {
  const difference = tagDifferences[tag] ?? modeDifferences[tag]?.[mode]
  if (tagsByName.has(tag)) return { missing: [], ...(difference && { differs: difference }) }
  // The build makes a header in a list a part of it.
  if (tag === 'header' && isNative)
    return { missing: [], differs: 'stays at the top of a list or waterfall; elsewhere it is HTML' }
  const isMissing = ecosystem.tags.has(tag) || (isNative && ecosystem.nativeTags.has(tag))
  return isMissing ? { missing: platforms } : undefined
}

/** All tags, of Souk and of the ecosystem, for the guide. */
export const allTags: readonly string[] = [
  ...new Set([...tagsByName.keys(), ...ecosystem.tags, ...ecosystem.nativeTags]),
].sort()
