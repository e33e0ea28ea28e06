type Pages = typeof import('../../../apps/docs/.vitepress/operations.ts')

/** VitePress bundles this file without the export condition of the sources (ADR 2), so Node imports what needs it. */
const { errorPagesIn }: Pages = await import(
  new URL('../../../apps/docs/.vitepress/operations.ts', import.meta.url).href
)

/** The pages of the errors in Arabic. */
export default {
  watch: ['../../../apps/docs/.vitepress/errors/*.ts'],
  paths: () => errorPagesIn('ar').map(({ code, content }) => ({ params: { code }, content })),
}
