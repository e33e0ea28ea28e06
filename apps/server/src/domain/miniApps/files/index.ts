export { checkImages } from './checkImages.ts'
export { readFile } from './readFile.ts'
export { uploadFile, uploadImage } from './uploadFile.ts'
