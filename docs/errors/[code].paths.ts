type Pages = typeof import('../../apps/docs/.vitepress/operations.ts')

/** VitePress bundles this file without the export condition of the sources (ADR 2), so Node imports what needs it. */
const { errorPages }: Pages = await import(new URL('../../apps/docs/.vitepress/operations.ts', import.meta.url).href)

/** The pages of the errors, which the documentation site creates from the contract. */
export default {
  watch: ['../../packages/contract/src/**/*.ts'],
  paths: () => errorPages().map(({ code, content }) => ({ params: { code }, content })),
}
