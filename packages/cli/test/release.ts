export const appid = 'aaaaaaaaaaaaaaa'

const releaseId = '0123456789abcdef0123456789abcdef'

/** A release as the server describes it. */
export const release = {
  releaseId,
  platform: 'Mini App',
  version: '1.4.0',
  note: null,
  notes: {},
  minRuntime: null,
  stage: 'development',
  current: false,
  url: `/mini/${appid}/${releaseId}/`,
  files: 2,
  size: 2048,
  uploadedBy: 'admin',
  signedBy: null,
  ctime: 0,
  publishedTime: null,
  publishedBy: null,
  reviewedBy: null,
}
