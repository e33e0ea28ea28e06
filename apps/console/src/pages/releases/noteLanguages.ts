import { languages } from '@souk/contract'
import { useFormat } from '../../i18n/format.ts'

/** Returns the language of a tag without region and script. */
export const primary = (tag: string): string => tag.split(/[_-]/)[0]!

/**
 * Returns a function that names the language of a release note: “English” for `en_US`, as in the settings of the mini
 * app, but “American English” beside a note in `en`.
 */
export function useLanguageName() {
  const format = useFormat()
  return (tag: string, tags: readonly string[]): string => {
    const isOnlyOne = tags.every((each) => each === tag || primary(each) !== primary(tag))
    return format.language(isOnlyOne && languages.some((each) => each === tag) ? primary(tag) : tag)
  }
}
