/** Returns a language tag in lower case, with `-` between its parts. */
export const normalized = (tag: string) => tag.replaceAll('_', '-').toLowerCase()

/** Returns the language of a tag without script and region. */
export const primary = (tag: string) => normalized(tag).split('-')[0]!
