export { readFile } from './readFile.ts'
export { uploadFile } from './uploadFile.ts'
