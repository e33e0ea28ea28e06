import { Type } from 'typebox'
import { HomeItem, InboxItem } from '../host/index.ts'
import { messageOpenOperations } from '../open/messages.ts'
import { operation } from '../operation.ts'
import { Appid, Nullable } from '../schemas.ts'
import { console, Page, ProjectId, paging, Uid } from './surface.ts'

const Uids = Type.Array(Uid, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Host user ids. In a live installation only users of the mini app.',
  'x-allowed': 'must be a list of 1 to 100 user ids',
})

const { title, text, navigateType, url, link, language } = messageOpenOperations.sendNotify.parameters.properties
const activity = messageOpenOperations.sendActivity.parameters.properties

/** Users who do not get a message by their own decision or by the operator's. */
const refused = {
  off: Type.Integer({ description: 'Number of users who have switched messages of the mini app off.' }),
  overLimit: Type.Integer({ description: 'Number of users who have received as many messages as a day allows.' }),
}

const Sent = Type.Object({
  recipients: Type.Integer({ description: 'Number of users who get it.' }),
  skipped: Type.Integer({ description: 'Unknown uids.' }),
  ...refused,
})
const { read: _, ...asSeen } = InboxItem.properties

/** Sent notifications and activity messages, and test sends. */
export const messageOperations = {
  searchNotifications: operation({
    ...console,
    id: 'searchNotifications',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/notifications',
    summary: 'List notifications sent by a project’s mini apps, newest first',
    access: { action: 'message.read', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId, appid: Type.Optional(Appid), ...paging }),
    result: Page(
      Type.Object({
        ...asSeen,
        appIconUrl: Nullable(Type.String()),
        recipients: Nullable(
          Type.Integer({ description: 'Null for notifications sent before recipients were counted.' }),
        ),
        skipped: Type.Integer({ description: 'Number of unknown openIds.' }),
        ...refused,
      }),
    ),
    errors: ['app_not_found'],
    redact: [],
  }),
  searchActivities: operation({
    ...console,
    id: 'searchActivities',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/activities',
    summary: 'List activity messages that are currently displayed, newest first, one entry per send',
    access: { action: 'message.read', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId, appid: Type.Optional(Appid), ...paging }),
    result: Page(
      Type.Object({
        ...HomeItem.properties,
        appIconUrl: Nullable(Type.String()),
        recipients: Type.Integer({ description: 'Number of home pages that display it.' }),
      }),
    ),
    errors: ['app_not_found'],
    redact: [],
  }),
  sendTestNotification: operation({
    ...console,
    id: 'sendTestNotification',
    method: 'POST',
    path: '/console/v1/apps/{appid}/notifications',
    summary: 'Send a notification from a mini app to users',
    access: { action: 'message.send', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, uids: Uids, title, text, navigateType, url, link, language }),
    example: { title: 'Order', text: 'Your order is ready.', language: 'en_US', navigateType: '1' },
    result: Sent,
    errors: ['capability_missing', 'recipients_unknown', 'testers_only'],
    redact: [],
  }),
  sendTestActivity: operation({
    ...console,
    id: 'sendTestActivity',
    method: 'POST',
    path: '/console/v1/apps/{appid}/activities',
    summary: 'Show, replace or remove an activity message on the home pages of users',
    access: { action: 'message.send', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      uids: Uids,
      activityId: activity.activityId,
      color: activity.color,
      templateId: activity.templateId,
      title: activity.title,
      text: activity.text,
      iconUrl: activity.iconUrl,
      path: activity.path,
      status: activity.status,
      validityTime: activity.validityTime,
      language: activity.language,
    }),
    example: {
      activityId: 'order-1',
      title: 'Order',
      text: 'Your order is ready.',
      language: 'en_US',
      color: 'ffffff',
      iconUrl: 'https://shop.example/icon.png',
      templateId: '1',
      status: 1,
      validityTime: 60,
    },
    result: Sent,
    errors: ['capability_missing', 'recipients_unknown', 'testers_only'],
    redact: [],
  }),
}
