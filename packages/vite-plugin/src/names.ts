/** Converts a component or attribute name to kebab case: `uniBadge` and `UniBadge` become `uni-badge`. */
export const hyphenate = (name: string): string => name.replace(/\B([A-Z])/g, '-$1').toLowerCase()

/** Converts a kebab-case name to camel case: `uni-badge` becomes `uniBadge`. */
export const camelize = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
