import { linkedFromDocs } from '../../apps/docs/.vitepress/repository.ts'

/** The pages of files outside of `docs`, which the documentation site creates from them. */
export default {
  watch: ['../../*.md', '../../{packages,sdks,examples}/**/README.md'],
  paths: () => linkedFromDocs().pages.map(({ path, content }) => ({ params: { path }, content })),
}
