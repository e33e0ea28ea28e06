import type { Appearances, Change } from './config.ts'
import type { Device } from './host.ts'

/** Returns a configuration as it is in a theme and a language; the same object if nothing differs. */
export function inAppearance<Config extends { appearances?: Appearances }>(
  config: Config,
  { theme, language }: Pick<Device, 'theme' | 'language'>,
): Config {
  const { dark = [], languages = {} } = config.appearances ?? {}
  const closest = closestLanguage(Object.keys(languages), language)
  const changes = [...(theme === 'dark' ? dark : []), ...(closest === undefined ? [] : (languages[closest] ?? []))]
  if (changes.length === 0) return config
  const changed = JSON.parse(JSON.stringify(config)) as Config
  for (const change of changes) apply(changed, change)
  return changed
}

/** Changes own properties only, because a host reads the manifests of other people. */
function apply(target: object, [path, ...values]: Change): void {
  let owner = target as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(owner, key) ? owner[key] : undefined
    if (typeof next !== 'object' || next === null) return
    owner = next as typeof owner
  }
  const key = path.at(-1)
  if (key === undefined || key === '__proto__') return
  if (values.length === 0) delete owner[key]
  else owner[key] = values[0]
}

/** Returns the language itself, the same script, the base language, or a relative; undefined if there is none. */
function closestLanguage(known: readonly string[], language: string): string | undefined {
  const plain = (name: string) => name.replaceAll('_', '-').toLowerCase()
  const preferred = plain(language)
  const [base = ''] = preferred.split('-')
  const script = base !== 'zh' ? base : /hant|tw|hk|mo/.test(preferred) ? 'zh-hant' : 'zh-hans'
  for (const name of [preferred, script, base]) {
    const found = known.find((each) => plain(each) === name)
    if (found !== undefined) return found
  }
  return known.find((each) => plain(each).startsWith(`${base}-`))
}
