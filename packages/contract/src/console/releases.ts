import { Type } from 'typebox'
import { operation } from '../operation.ts'
import {
  maxNoteLanguages,
  maxReleaseNote,
  maxTesters,
  releasePlatforms,
  releaseStages,
  signingKeyStates,
} from '../release.ts'
import { Appid, DomainTime, Hex32, Long, languageTagPattern, Nullable, RealTime, Text } from '../schemas.ts'
import { BlockReason } from './blocks.ts'
import { PublicKey } from './signingKeys.ts'
import { console, Uid } from './surface.ts'

const ReleaseId = Hex32({ description: 'The release.' })
const Platform = Type.Enum([...releasePlatforms], {
  description: 'Target platform; taken from souk-app.json in the archive if absent.',
  'x-allowed': `must be one of ${releasePlatforms.join(', ')}`,
})
const Version = Type.String({
  pattern: '^[0-9A-Za-z][0-9A-Za-z.+_-]{0,31}$',
  description: 'Displayed version, such as 1.4.0.',
  'x-allowed': 'must be 1 to 32 ASCII letters, digits and . + _ -, the first a letter or digit',
})
export const Notes = Type.Record(Type.String({ pattern: languageTagPattern }), Text(maxReleaseNote), {
  additionalProperties: false,
  maxProperties: maxNoteLanguages,
  description: 'What is new, for users, by language tag. In a form, a JSON object.',
  'x-allowed': `must be an object of at most ${maxNoteLanguages} language tags such as en or zh_CN, each with a text of 1 to ${maxReleaseNote} characters`,
})
const Uids = Type.Array(Uid, {
  maxItems: maxTesters,
  uniqueItems: true,
  description: 'Host user ids; may be empty.',
  'x-allowed': `must be a list of at most ${maxTesters} user ids`,
})
const Testers = Type.Object({ uids: Type.Array(Type.Integer()) })

/** A release of a mini app. */
export const Release = Type.Object({
  releaseId: Type.String(),
  platform: Type.Enum([...releasePlatforms]),
  version: Type.String(),
  note: Nullable(Type.String({ description: 'The note in the default language of the mini app, or another one.' })),
  notes: Type.Record(Type.String(), Type.String(), { description: 'What is new, for users, by language tag.' }),
  minRuntime: Nullable(Type.String({ description: 'Minimum version of the runtime in hosts, such as 0.2.0.' })),
  stage: Type.Enum([...releaseStages]),
  current: Type.Boolean({ description: 'Whether this is the published release that users of the platform get.' }),
  url: Type.String({ description: 'URL of its folder, relative to this server or absolute, with a trailing slash.' }),
  files: Type.Integer(),
  size: Type.Integer({ description: 'Total size of all files in bytes.' }),
  uploadedBy: Type.String({ description: 'Name of the account or service account, or admin.' }),
  signedBy: Nullable(
    Type.Object(
      {
        keyId: Type.String(),
        owner: Type.String({ description: 'Name of the account, or admin.' }),
        state: Type.Enum([...signingKeyStates], { description: 'Current state of the key.' }),
      },
      { description: 'The key whose signature was verified at the upload; null for an unsigned release.' },
    ),
  ),
  ctime: RealTime(),
  publishedTime: Nullable(DomainTime('When it last became current, ms.')),
  publishedBy: Nullable(
    Type.String({
      description:
        'Who made it current last: name of the account or service account, admin, or system for a scheduled release. Null for one that an earlier version of Souk published.',
    }),
  ),
  reviewedBy: Nullable(
    Type.String({
      description: 'Who approved it last: name of the account, or admin. Null without an approved review.',
    }),
  ),
})

const ofRelease = Type.Object({ appid: Appid, releaseId: ReleaseId })

/** Releases of mini apps and their testers. */
export const releaseOperations = {
  uploadRelease: operation({
    ...console,
    id: 'uploadRelease',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases',
    summary: 'Upload a release: a .tar.gz of the build output with index.html and souk-app.json at the top level',
    access: { action: 'release.upload', by: 'appid' },
    body: ['multipart'],
    file: true,
    parameters: Type.Object({
      appid: Appid,
      platform: Type.Optional(Platform),
      version: Version,
      note: Type.Optional(
        Text(maxReleaseNote, { description: 'What is new, for users, in the default language of the mini app.' }),
      ),
      notes: Type.Optional(Notes),
      signingKey: Type.Optional(PublicKey),
      signature: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9_-]{86}$',
          description:
            'Ed25519 signature in base64url of the lines souk-release-v1, appid, version and SHA-256 of the archive.',
          'x-allowed': 'must be 86 characters of base64url, without padding',
        }),
      ),
    }),
    example: { version: '1.0.0' },
    result: Release,
    errors: [
      'file_missing',
      'file_too_large',
      'rate_limited',
      'storage_unavailable',
      'release_refused',
      'release_limit_reached',
      'release_version_taken',
      'release_unsigned',
      'release_signature_invalid',
      'signing_key_foreign',
      'signing_key_revoked',
      'signing_key_pending',
      'signing_key_limit_reached',
    ],
    redact: [],
  }),
  uploadSourceMaps: operation({
    ...console,
    id: 'uploadSourceMaps',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/source-maps',
    summary:
      'Upload the source maps of a release, a .tar.gz with assets/a.js.map for assets/a.js; replaces earlier ones',
    access: { action: 'release.upload', by: 'appid' },
    body: ['multipart'],
    file: true,
    parameters: ofRelease,
    result: Type.Object({ sourceMaps: Type.Integer({ description: 'Number of source maps.' }) }),
    errors: [
      'file_missing',
      'file_too_large',
      'rate_limited',
      'storage_unavailable',
      'source_maps_refused',
      'release_not_found',
    ],
    redact: [],
  }),
  listReleases: operation({
    ...console,
    id: 'listReleases',
    method: 'GET',
    path: '/console/v1/apps/{appid}/releases',
    summary: 'List releases of a mini app, newest first',
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
    summary: 'Submit a release for review, or move it back to development',
    access: { action: 'release.upload', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      ...ofRelease.properties,
      stage: Type.Enum(['development', 'review'], { 'x-allowed': 'must be development or review' }),
      reason: BlockReason,
    }),
    example: { stage: 'review' },
    result: Release,
    errors: ['release_not_found', 'release_stage_conflict'],
    redact: [],
  }),
  publishRelease: operation({
    ...console,
    id: 'publishRelease',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/publish',
    summary:
      'Publish a release now, or an approved one later; it may need a review, and a mini app’s first release an approval',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      ...ofRelease.properties,
      publishTime: Type.Optional(
        Long({
          description: 'When an approved release is published, ms.',
          'x-allowed': 'must be a Unix time in milliseconds',
          'x-clock': 'domain',
        }),
      ),
    }),
    result: Release,
    errors: [
      'release_not_found',
      'release_stage_conflict',
      'release_unsigned',
      'release_review_required',
      'review_state_conflict',
      'blocked_by_operator',
    ],
    redact: [],
  }),
  rollBack: operation({
    ...console,
    id: 'rollBack',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/roll-back',
    summary: 'Roll back to an earlier published release',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: ofRelease,
    result: Release,
    errors: ['release_not_found', 'release_stage_conflict', 'blocked_by_operator'],
    redact: [],
  }),
  deleteRelease: operation({
    ...console,
    id: 'deleteRelease',
    method: 'DELETE',
    path: '/console/v1/apps/{appid}/releases/{releaseId}',
    summary: 'Delete a release with its files, except the current one',
    access: { action: 'release.upload', by: 'appid' },
    parameters: ofRelease,
    result: Type.Boolean(),
    errors: ['release_not_found', 'release_stage_conflict', 'blocked_by_operator'],
    redact: [],
  }),
  listTesters: operation({
    ...console,
    id: 'listTesters',
    method: 'GET',
    path: '/console/v1/apps/{appid}/testers',
    summary: 'List testers, who may open unpublished releases',
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
    summary: 'Replace the list of testers, and get the list in effect; new testers may need an approval',
    access: { action: 'release.upload', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, uids: Uids }),
    result: Testers,
    errors: ['user_not_found'],
    redact: [],
  }),
}
