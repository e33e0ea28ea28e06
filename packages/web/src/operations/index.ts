export { type CodeLanguage, type CodeRequest, codeFor, codeLanguages } from './codeFor.ts'
export { indentJson } from './indentJson.ts'
export {
  type ApiOperation,
  fieldsOf,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  surfaces,
  typeName,
} from './openapi.ts'
export {
  choicesOf,
  codeRequestOf,
  fieldsToFill,
  findMistakes,
  type PreparedRequest,
  prepareRequest,
} from './request.ts'
