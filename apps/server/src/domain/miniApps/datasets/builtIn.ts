import { type BuiltInDataset, builtInDatasets, noFailReason, transactionFlow, transactionStatus } from '@souk/contract'
import type { Context } from '../../context.ts'
import { avatarSql } from '../../users/index.ts'
import {
  booleanField,
  integerField,
  type KeyPart,
  type Source,
  textField,
  timeField,
  uuidField,
  wordField,
} from './source.ts'

/** A built-in dataset: a live view of platform tables, restricted to the mini apps of a project (ADR 240). */
export interface BuiltIn extends Source {
  description: string
}

const appScope = { sql: 't.appid', type: 'text' } as const
const byCreation = (id: string): KeyPart[] => [
  { sql: 't.ctime', type: 'bigint' },
  { sql: id, type: 'uuid' },
]
const optional = { required: false }

/**
 * Payments, and refunds of succeeded payments (ADR 14). Each branch reads one table without a condition, so that the
 * planner merges the indexes of both in their common order.
 */
const flows = `(select * from (
  select
    appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, payer, transaction_status,
    fail_reason_type, pay_type, pay_method, pay_no, notify_success, time_expire, ctime, mtime,
    ${transactionFlow.expense}::smallint as transaction_flow, null::uuid as refund_of, 'operator'::text as initiator
  from all_trades
  union all
  select
    appid, refund_no, merchant_id, out_trade_no, note, amount, currency, open_id, payer,
    (case state when 'owed' then ${transactionStatus.processing} when 'returned' then ${transactionStatus.succeeded}
      else ${transactionStatus.failed} end)::smallint,
    (case state when 'refused' then 27 else ${noFailReason} end)::smallint, pay_type, pay_method, null::text,
    null::boolean, null::bigint, ctime, mtime, ${transactionFlow.income}::smallint, trade_no, initiator
  from refunds) flows where initiator = 'operator')`

type Settings = Pick<Context['settings'], 'publicUrl'>

/** Built-in datasets. They must not contain phone numbers, e-mail addresses, secrets or tokens. */
const builtIns: Record<Exclude<BuiltInDataset, 'users'>, BuiltIn> = {
  trades: {
    description: 'Payment transactions and refunds.',
    from: `${flows} t`,
    scope: appScope,
    key: byCreation('t.trade_no'),
    fields: [
      uuidField('tradeNo', 't.trade_no', { description: 'For a refund: its refundNo.' }),
      wordField('appid', 't.appid'),
      uuidField('merchantId', 't.merchant_id'),
      // An outTradeNo may start with a minus.
      textField('outTradeNo', 't.out_trade_no', { description: 'For a refund: that of the payment.' }),
      textField('description', 't.description', { ...optional, description: 'For a refund: its reason.' }),
      integerField('amount', 't.amount', { description: 'cents' }),
      wordField('currency', 't.currency'),
      uuidField('openId', 't.open_id'),
      integerField('payer', 't.payer', { description: 'User id of the payer.' }),
      integerField('transactionStatus', 't.transaction_status', {
        description:
          '1 processing, 2 succeeded, 3 failed, 4 expired, 5 canceled, 6 closed. For a refund: 1, then 2, or 3 if the provider has rejected it.',
      }),
      integerField('failReasonType', 't.fail_reason_type', { description: '-1 if the trade has not failed.' }),
      integerField('payType', 't.pay_type', optional),
      integerField('payMethod', 't.pay_method', optional),
      textField('payNo', 't.pay_no', optional),
      booleanField('notifySuccess', 't.notify_success', {
        ...optional,
        description: 'Null before the first callback attempt.',
      }),
      timeField('timeExpire', 't.time_expire', { ...optional, description: 'Null for a refund.' }),
      timeField('ctime', 't.ctime', { description: 'Creation time. Records are ordered by it.' }),
      timeField('mtime', 't.mtime', { description: 'Last change.' }),
      integerField('transactionFlow', 't.transaction_flow', {
        description: '2 for a payment, 1 for a refund.',
      }),
      uuidField('refundOf', 't.refund_of', { ...optional, description: 'For a refund: the tradeNo of the payment.' }),
    ],
  },
  callbacks: {
    description: 'Payment result callbacks and their delivery state.',
    // Without the results of refunds (ADR 409).
    from: `(select * from callbacks where fields->>'refundNo' is null) t`,
    scope: appScope,
    key: byCreation('t.notify_id'),
    fields: [
      uuidField('notifyId', 't.notify_id'),
      wordField('appid', 't.appid'),
      uuidField('tradeNo', 't.trade_no'),
      textField('outTradeNo', `t.fields->>'outTradeNo'`),
      integerField('transactionStatus', `(t.fields->>'transactionStatus')::bigint`),
      textField('notifyUrl', 't.notify_url'),
      wordField('state', 't.state', { description: 'pending, delivered, or dead after the last attempt.' }),
      integerField('attempts', 't.attempts', { description: 'Number of attempts.' }),
      timeField('nextAttempt', 't.next_attempt', optional),
      timeField('ctime', 't.ctime', { description: 'Time at which the trade ended. Records are ordered by it.' }),
      timeField('mtime', 't.mtime', { description: 'Last change.' }),
    ],
  },
  notifications: {
    description: 'Notifications that the mini apps have sent.',
    from: 'notifications t',
    scope: appScope,
    key: [{ sql: 't.notification_id', type: 'uuid' }],
    fields: [
      uuidField('notificationId', 't.notification_id'),
      wordField('appid', 't.appid'),
      textField('title', 't.title'),
      textField('text', 't.text'),
      wordField('navigateType', 't.navigate_type', { description: '1 mini app, 2 url.' }),
      textField('url', 't.url', optional),
      textField('link', 't.link', optional),
      wordField('language', 't.language'),
      integerField('recipients', 't.recipients', { ...optional, description: 'Number of users it was sent to.' }),
      integerField('skipped', 't.skipped', { description: 'Number of unknown openIds.' }),
      timeField('ctime', 't.ctime'),
    ],
  },
  events: {
    description: 'Custom events of the mini apps: counts per day (UTC), release, event and value of a field.',
    from: `(select * from analytics_counts
      where span = 'day' and kind in ('custom', 'customValue', 'customSum') and name <> '') t`,
    scope: appScope,
    key: [
      { sql: 't.start', type: 'bigint' },
      { sql: 't.release_id', type: 'uuid' },
      { sql: 't.name', type: 'text' },
    ],
    fields: [
      timeField('day', 't.start', { description: 'Start of the day. Records are ordered by it.' }),
      wordField('appid', 't.appid'),
      uuidField('releaseId', 't.release_id'),
      textField('version', '(select r.version from releases r where r.release_id = t.release_id)', {
        ...optional,
        description: 'Of the release; null if it was deleted.',
      }),
      wordField('event', `split_part(t.name, '.', 1)`),
      wordField('field', `nullif(split_part(split_part(t.name, '=', 1), '.', 2), '')`, {
        ...optional,
        description: 'Null for the count of the event itself.',
      }),
      textField('value', `case t.kind when 'customValue' then substr(t.name, strpos(t.name, '=') + 1) end`, {
        ...optional,
        description: 'Of an enum or a boolean; null for an integer and for the event itself.',
      }),
      integerField('count', `case when t.kind <> 'customSum' then t.count end`, {
        ...optional,
        description: 'Number of events with this value; null for an integer.',
      }),
      integerField('sum', `case t.kind when 'customSum' then t.count end`, {
        ...optional,
        description: 'Sum of an integer; null for others.',
      }),
    ],
  },
  activities: {
    description: 'Activity messages on home pages, one record per user.',
    from: 'activities t',
    scope: appScope,
    key: [
      { sql: 't.ctime', type: 'bigint' },
      { sql: 't.activity_id', type: 'text' },
      { sql: 't.open_id', type: 'uuid' },
    ],
    fields: [
      textField('activityId', 't.activity_id'),
      wordField('appid', 't.appid'),
      uuidField('openId', 't.open_id'),
      wordField('color', 't.color'),
      textField('templateId', 't.template_id'),
      textField('title', 't.title'),
      textField('text', 't.text'),
      textField('iconUrl', 't.icon_url'),
      textField('path', 't.path', optional),
      wordField('language', 't.language'),
      timeField('validUntil', 't.valid_until'),
      timeField('ctime', 't.ctime', { description: 'Time of the first send. Records are ordered by it.' }),
      timeField('mtime', 't.mtime', { description: 'Time of the last send.' }),
    ],
  },
}

function users(settings: Settings): BuiltIn {
  return {
    description: 'Users known to the mini apps, one record per mini app.',
    from: 'open_ids t join users u using (uid)',
    scope: appScope,
    key: [
      { sql: 't.uid', type: 'bigint' },
      { sql: 't.appid', type: 'text' },
    ],
    fields: [
      uuidField('openId', 't.open_id'),
      wordField('appid', 't.appid'),
      textField('nickName', 'u.nickname'),
      textField('avatar', avatarSql(settings, { avatar: 'u.avatar', nickName: 'u.nickname' }), {
        description: 'URL of the profile photo, or of a generated one.',
      }),
      timeField('ctime', 'u.ctime', { description: 'Time at which the user was created in the host application.' }),
    ],
  }
}

/** Returns a built-in dataset by its name. */
export function builtIn(name: string, settings: Settings): BuiltIn | undefined {
  const found = builtInDatasets.find((each) => each === name)
  return found === 'users' ? users(settings) : found && builtIns[found]
}
