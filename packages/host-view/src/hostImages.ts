import { type DomainRules, isListed } from '@souk/contract/bridge'

/** Attributes of bars with the address of an image or a font, which the host loads in its own document. */
const imageAttributes = ['titleImage', 'titleIcon', 'icon', 'selectedIcon', 'backgroundImage', 'fontSrc']

/**
 * Returns whether the host may load an image or font for a mini app: from its own files, and under strict rules
 * otherwise from the hosts that it may download from only.
 *
 * @param folder address of the mini app's files
 */
export function mayLoad(address: string, folder: string, rules: DomainRules | undefined): boolean {
  if (!rules?.isStrict || !/^https?:/i.test(address)) return true
  const url = URL.parse(address)
  return url !== null && (url.href.startsWith(folder) || isListed(rules.domains.download, url))
}

/** Returns the bars without the images and fonts that `isAllowed` rejects. */
export function withoutImages<V>(value: V, isAllowed: (address: string) => boolean, attribute = ''): V {
  if (Array.isArray(value)) return value.map((each) => withoutImages(each, isAllowed)) as V
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withoutImages(each, isAllowed, name)]),
    ) as V
  }
  if (typeof value !== 'string' || !imageAttributes.includes(attribute)) return value
  // With `s`, because the dot would not match a U+2028, which is part of an address in CSS.
  const [, address = value] = /^url\("(.*)"\)$/s.exec(value) ?? []
  return isAllowed(address) ? value : ('' as V)
}
