import { errorCodes, errorPage } from '../../packages/contract/src/reference.ts'

/** The pages of the errors, which the documentation site creates from the contract. */
export default {
  watch: ['../../packages/contract/src/error*.ts'],
  paths: () => errorCodes.map((code) => ({ params: { code }, content: errorPage(code) })),
}
