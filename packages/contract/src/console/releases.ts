import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { maxTesters, releasePlatforms, releaseStages } from '../release.ts'
import { Appid, Hex32, Nullable, Text } from '../schemas.ts'
import { console, Time, Uid } from './surface.ts'

const ReleaseId = Hex32({ description: 'The release.' })
const Platform = Type.Enum([...releasePlatforms], {
  description: 'What it was built for; absent: what souk-app.json in the archive says.',
  'x-allowed': `must be one of ${releasePlatforms.join(', ')}`,
})
const Version = Type.String({
  pattern: '^[0-9A-Za-z][0-9A-Za-z.+_-]{0,31}$',
  description: 'Shown to people, such as 1.4.0.',
  'x-allowed': 'must be 1 to 32 letters, digits and . + _ -, the first a letter or digit',
})
const Uids = Type.Array(Uid, {
  maxItems: maxTesters,
  uniqueItems: true,
  description: 'Host user ids; an empty list for nobody.',
  'x-allowed': `must be a list of at most ${maxTesters} user ids`,
})
const Testers = Type.Object({ uids: Type.Array(Type.Integer()) })

/** One release of a mini app. */
const Release = Type.Object({
  releaseId: Type.String(),
  platform: Type.Enum([...releasePlatforms]),
  version: Type.String(),
  note: Nullable(Type.String()),
  stage: Type.Enum([...releaseStages]),
  current: Type.Boolean({ description: 'Of the published ones of its platform, the one that users get.' }),
  url: Type.String({ description: 'Of its folder, from the root of this server, with a slash at its end.' }),
  files: Type.Integer(),
  size: Type.Integer({ description: 'Bytes of all files.' }),
  uploadedBy: Type.String({ description: 'Name of the account, or admin.' }),
  ctime: Time,
  publishedTime: Nullable(Type.Integer({ description: 'When it last became the current one, ms.' })),
})

const ofRelease = Type.Object({ appid: Appid, releaseId: ReleaseId })

/** Releases of mini apps, and who tests them. */
export const releaseOperations = {
  uploadRelease: operation({
    ...console,
    id: 'uploadRelease',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases',
    summary: 'Upload a release: a .tar.gz of what the build wrote, with index.html and souk-app.json at its top',
    access: { action: 'release.upload', by: 'appid' },
    body: ['multipart'],
    file: true,
    parameters: Type.Object({
      appid: Appid,
      platform: Type.Optional(Platform),
      version: Version,
      note: Type.Optional(Text(500, { description: 'What is new, for whoever reviews it.' })),
    }),
    result: Release,
    errors: ['file_missing', 'file_too_large', 'release_refused', 'release_limit_reached'],
    redact: [],
  }),
  listReleases: operation({
    ...console,
    id: 'listReleases',
    method: 'GET',
    path: '/console/v1/apps/{appid}/releases',
    summary: 'The releases of a mini app, newest first',
    access: { action: 'release.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid }),
    result: Type.Array(Release),
    errors: [],
    redact: [],
  }),
  setReleaseStage: operation({
    ...console,
    id: 'setReleaseStage',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/stage',
    summary: 'Hand a release in for review, or take it back into development',
    access: { action: 'release.upload', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      ...ofRelease.properties,
      stage: Type.Enum(['development', 'review'], { 'x-allowed': 'must be development or review' }),
    }),
    result: Release,
    errors: ['release_not_found', 'release_stage_conflict'],
    redact: [],
  }),
  publishRelease: operation({
    ...console,
    id: 'publishRelease',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/publish',
    summary: 'Publish a release that is in development or review: users get it from now on',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: ofRelease,
    result: Release,
    errors: ['release_not_found', 'release_stage_conflict'],
    redact: [],
  }),
  rollBack: operation({
    ...console,
    id: 'rollBack',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/roll-back',
    summary: 'Give users an earlier published release again',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: ofRelease,
    result: Release,
    errors: ['release_not_found', 'release_stage_conflict'],
    redact: [],
  }),
  deleteRelease: operation({
    ...console,
    id: 'deleteRelease',
    method: 'DELETE',
    path: '/console/v1/apps/{appid}/releases/{releaseId}',
    summary: 'Delete a release with its files; not the current one',
    access: { action: 'release.upload', by: 'appid' },
    parameters: ofRelease,
    result: Type.Boolean(),
    errors: ['release_not_found', 'release_stage_conflict'],
    redact: [],
  }),
  listTesters: operation({
    ...console,
    id: 'listTesters',
    method: 'GET',
    path: '/console/v1/apps/{appid}/testers',
    summary: 'Who may open releases that are not published',
    access: { action: 'release.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid }),
    result: Testers,
    errors: [],
    redact: [],
  }),
  setTesters: operation({
    ...console,
    id: 'setTesters',
    method: 'POST',
    path: '/console/v1/apps/{appid}/testers',
    summary: 'Say who may open releases that are not published; replaces the whole list',
    access: { action: 'release.upload', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, uids: Uids }),
    result: Testers,
    errors: ['user_not_found'],
    redact: [],
  }),
}
