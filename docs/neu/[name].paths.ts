type Pages = typeof import('../../apps/docs/.vitepress/reference/index.ts')

/** VitePress bundles this file without the export condition of the sources (ADR 2), so Node imports what needs it. */
const { functionPages }: Pages = await import(
  new URL('../../apps/docs/.vitepress/reference/index.ts', import.meta.url).href
)

/** The pages of the functions, which the documentation site creates from their types. */
export default {
  watch: ['../../packages/{runtime,tags}/src/**/*.{ts,vue}', '../../apps/docs/examples/**/*.vue'],
  paths: () => functionPages().map(({ name, content }) => ({ params: { name }, content })),
}
