type Repository = typeof import('../../apps/docs/.vitepress/repository.ts')

/** Node imports it, as the settings of the site do, so that it is read once. */
const { linkedFromDocs }: Repository = await import(
  new URL('../../apps/docs/.vitepress/repository.ts', import.meta.url).href
)

/** The pages of files outside of `docs`, which the documentation site creates from them. */
export default {
  watch: ['../../*.md', '../../{packages,sdks,examples}/**/README.md'],
  paths: () => linkedFromDocs().pages.map(({ path, content }) => ({ params: { path }, content })),
}
