import { type Platform, platforms } from './diagnostic.ts'
import { type Node, type ObjectNode, valueAt } from './parse/nodes.ts'
import { parse } from './parse/parse.ts'
import { isAppPlusKey, platformKeys } from './rules/honored.ts'

export const manifestFile = 'manifest.json'

export type Theme = 'light' | 'dark'

/** The theme file of a platform. `only` is set if the platform does not follow the theme of the device. */
export type ThemeSettings = { readonly file: string; readonly only: Theme | undefined }

/** Name and version of the app; empty if manifest.json does not say. */
type AppVersion = { readonly name: string; readonly version: string; readonly versionCode: string }

const timeouts = ['request', 'connectSocket', 'uploadFile', 'downloadFile'] as const

/** Default timeouts of network functions, in ms. */
export type NetworkTimeout = { readonly [name in (typeof timeouts)[number]]?: number }

/** What Souk reads from uni-app's manifest.json: what names in pages.json stand for (ADR 105), version and timeouts. */
export type Manifest = {
  readonly themes: Readonly<Record<Platform, ThemeSettings>>
  readonly app: AppVersion
  /** The title of the H5 document until a page has one; undefined if there is none. */
  readonly title: string | undefined
  /** The language of the app on all devices; undefined if it follows the device. */
  readonly language: string | undefined
  /** The language of texts that another one does not have; undefined if it is not set. */
  readonly fallbackLanguage: string | undefined
  readonly networkTimeout: NetworkTimeout
}

/** Reads the text of a manifest.json; undefined if there is none, as in projects that are not uni-app's. */
export function readManifest(text: string | undefined): Manifest {
  const root = text === undefined ? undefined : parse(text.replace(/^\uFEFF/, '')).root
  const themes = Object.fromEntries(platforms.map((platform) => [platform, themeSettings(root, platform)]))
  const locale = textAt(root, 'locale')
  return {
    title:
      partsFor(root, 'H5')
        .map((part) => textAt(part, 'title'))
        .find((title) => title) ?? textAt(root, 'name'),
    themes: themes as Manifest['themes'],
    app: {
      name: textAt(root, 'name') ?? '',
      version: textAt(root, 'versionName') ?? '',
      versionCode: textAt(root, 'versionCode') ?? numberAt(root, 'versionCode') ?? '',
    },
    language: locale?.toLowerCase() === 'auto' ? undefined : locale,
    fallbackLanguage: textAt(root, 'fallbackLocale'),
    networkTimeout: networkTimeout(valueAt(root, 'networkTimeout')),
  }
}

/** Reads the timeouts that a timer can have. */
function networkTimeout(node: Node | undefined): NetworkTimeout {
  const written = timeouts.flatMap((name) => {
    const value = valueAt(node, name)
    return value?.kind === 'number' && value.value > 0 && value.value < 2 ** 31 ? [[name, value.value]] : []
  })
  return Object.fromEntries(written)
}

/** Reads the theme settings. `darkmode` is off by default, but not needed without a manifest.json of uni-app. */
function themeSettings(root: Node | undefined, platform: Platform): ThemeSettings {
  const parts = partsFor(root, platform)
  const location = parts.map((part) => textAt(part, 'themeLocation')).find((value) => value)
  const darkmode = parts.map((part) => valueAt(part, 'darkmode')).find((value) => value !== undefined)
  return {
    file: (location ?? 'theme.json').replace(/^(?:\.?\/)+/, ''),
    only: root === undefined ? undefined : onlyTheme(darkmode),
  }
}

/** Returns the objects of a platform; unlike in pages.json, those of App do not count on H5. */
function partsFor(root: Node | undefined, platform: Platform): ObjectNode[] {
  const keys = platformKeys[platform].filter((key) => isAppPlusKey(key) === (platform !== 'H5'))
  return keys.flatMap((key) => {
    const part = valueAt(root, key)
    return part?.kind === 'object' ? [part] : []
  })
}

function onlyTheme(darkmode: Node | undefined): Theme | undefined {
  if (darkmode?.kind === 'boolean') return darkmode.value ? undefined : 'light'
  if (darkmode?.kind !== 'string') return 'light'
  if (darkmode.value === 'auto') return undefined
  return darkmode.value === 'dark' ? 'dark' : 'light'
}

function textAt(node: Node | undefined, key: string): string | undefined {
  const value = valueAt(node, key)
  return value?.kind === 'string' && value.value !== '' ? value.value : undefined
}

function numberAt(node: Node | undefined, key: string): string | undefined {
  const value = valueAt(node, key)
  return value?.kind === 'number' ? String(value.value) : undefined
}
