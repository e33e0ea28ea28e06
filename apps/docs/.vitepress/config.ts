type Site = typeof import('./site.ts')

/**
 * Vite bundles this file without the export condition of the sources (ADR 2), and would need built packages. Node
 * imports the settings, and shares what they read with the pages that are made.
 */
const { default: site }: Site = await import(new URL('site.ts', import.meta.url).href)

export default site
