import { gzipSync } from 'node:zlib'
import { day } from '@souk/contract'
import { addUpLedger, addUpTrades } from '../src/domain/money/index.ts'
import type { Sql } from '../src/kernel/db/pool.ts'
import { newId } from '../src/kernel/id.ts'

/** Numbers of rows of an installation. */
export interface Size {
  /** Projects besides the large one, with one mini app each. */
  projects: number
  /** Mini apps of the large project. */
  apps: number
  /** Accounts with a signing key, which are members of the large project, and invitations that wait in it. */
  members: number
  users: number
  /** Paid trades of the large project, each with its callback; one in ten was refunded. */
  trades: number
  /** Rows of every other list: requests, messages, feedback, the audit log and so on. */
  others: number
}

/** The large project, and one thing of each kind in it. */
export interface LargeInstallation {
  projectId: string
  appid: string
  releaseId: string
  uid: number
  /** A paid trade, whose callback has the same number. */
  tradeNo: string
  recordingId: string
  feedbackId: string
  reconciliationId: string
  requestId: string
  deliveryId: string
}

/** An SQL expression for an empty file, gzipped. */
const emptyFile = `decode('${gzipSync('').toString('hex')}', 'hex')`
/** Time of the first row in ms, 40 days before the clock of `identityContext`. */
const begin = Date.UTC(2030, 0, 1) - 40 * day

/**
 * Fills an empty database with one large project and many small ones, as SQL, without the verbs. Rows of the large
 * project are spread evenly over its mini apps and over 20 days. Only a superuser may do so.
 */
export async function fillInstallation(
  sql: Sql,
  size: Size,
  log: (text: string) => void = () => {},
): Promise<LargeInstallation> {
  const projectId = newId()
  /** Time of row `n` of `count`, in ms, and its mini app, as SQL. */
  const timeOf = (count: number) => `(${begin} + n::bigint * ${20 * day} / ${count})`
  const time = timeOf(size.others)
  const app = `('a' || lpad((n % ${size.apps} + 1)::text, 14, '0'))`
  const firstApp = `a${'1'.padStart(14, '0')}`
  const rows = (count: number) => `generate_series(1, ${count}) n`
  const uid = `(first.uid + n % ${size.users})`
  const first = `(select min(uid) as uid from users) first`
  // SQL: numbers of this file.
  await sql.unsafe(`
    insert into accounts (account_id, username, name, language, password, administrator, ctime)
      select gen_random_uuid(), 'user' || n, 'User ' || n, 'en', '', false, ${begin} from ${rows(size.members)};
    insert into projects (project_id, name, ctime) values ('${projectId}', 'Large', ${begin});
    insert into projects (project_id, name, ctime)
      select gen_random_uuid(), 'Project ' || n, ${begin} + n from ${rows(size.projects)};
    insert into project_members (project_id, account_id, role, ctime)
      select '${projectId}', account_id, 'editor', ${begin} from accounts;
    insert into signing_keys (key_id, public_key, account_id, state, ctime)
      select uuidv7(), sha256(account_id::text::bytea), account_id, 'approved', ctime from accounts;
    insert into invitations (invitation_id, project_id, token_hash, role, invited_by, valid_until, ctime)
      select uuidv7(), '${projectId}', sha256(account_id::text::bytea), 'viewer', null, 9e12, ctime from accounts;
    insert into project_members (project_id, account_id, role, ctime)
      select p.project_id, a.account_id, 'owner', p.ctime
      from (select project_id, ctime, row_number() over (order by project_id) as n from projects where project_id <> '${projectId}') p
        join (select account_id, row_number() over (order by account_id) as n from accounts) a using (n);
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
      select 'a' || lpad(n::text, 14, '0'), '${projectId}', 'Shop ' || n, '{}', 'en_US', ${begin} + n from ${rows(size.apps)};
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
      select 'b' || lpad(row_number() over ()::text, 14, '0'), project_id, name, '{}', 'en_US', ctime
      from projects where project_id <> '${projectId}';
    insert into merchants (merchant_id, appid, ctime) select gen_random_uuid(), appid, ctime from apps;
    insert into users (nickname, ctime) select 'User ' || n, ${begin} + n from ${rows(size.users)};
    insert into open_ids (appid, open_id, uid)
      select ${app}, gen_random_uuid(), ${uid} from ${rows(size.users)}, ${first};
    insert into releases (release_id, appid, platform, version, stage, current, pages, inline_scripts, files, size, ctime)
      select gen_random_uuid(), appid, 'App', '1.0.0', 'published', true, '{}', '{}', 1, 1, ctime from apps;`)
  await sql.unsafe('analyze')
  // The number of a trade is a UUID v7, which has the wall clock.
  const behind = Date.now() - 21 * day - begin
  const created = timeOf(size.trades)
  const merchant = `'merchant:' || replace(merchant_id::text, '-', '')`
  const returns = `'returns:' || replace(merchant_id::text, '-', '')`
  const statements = {
    all_trades: `
      insert into all_trades
          (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
            transaction_status, pay_type, pay_method, notify_success, ctime, mtime)
        select ${app}, (lpad(to_hex(time + ${behind}), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid,
          m.merchant_id, 'order-' || n, 100 + n % 900, 'SAR', gen_random_uuid(), ${uid}, 'https://shop.test/notify',
          time + 1000, 2, 3, 3, true, time, time
        from ${rows(size.trades)} cross join lateral (select ${created} as time, md5(n::text) as hash) made
          cross join ${first} join merchants m on m.appid = ${app}`,
    out_trade_nos: `
      insert into out_trade_nos (merchant_id, out_trade_no, trade_no)
        select merchant_id, out_trade_no, trade_no from all_trades`,
    callbacks: `
      insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, ctime, mtime)
        select appid, trade_no, trade_no, notify_url, json_build_object('outTradeNo', out_trade_no), 'delivered', ctime, mtime
        from all_trades`,
    refunds: `
      insert into refunds
          (appid, trade_no, attempt_id, amount, currency, note, state, ctime, mtime, refund_no, merchant_id, out_trade_no,
            open_id, payer, pay_type, pay_method, initiator, reason)
        select appid, trade_no, trade_no, 1, currency, '', 'returned', ctime + 1, ctime + 1, trade_no, merchant_id,
          out_trade_no, open_id, payer, 1, 1, 'operator', 'requested'
        from all_trades where amount % 10 = 0`,
    ledger_entries: `
      insert into ledger_entries (reference, movement, debit, credit, amount, currency, appid, trade_no, time)
        select trade_no, 'captured', 'provider:sandbox', ${merchant}, amount, currency, appid, trade_no, ctime from all_trades
        union all
        select refund_no, 'refundOwed', ${merchant}, ${returns}, amount, currency, appid, trade_no, ctime from refunds
        union all
        select refund_no, 'refundReturned', ${returns}, 'provider:sandbox', amount, currency, appid, trade_no, ctime
        from refunds`,
  }
  // Triggers, references and indexes would take most of the time.
  await withoutIndexes(sql, Object.keys(statements), async () => {
    for (const [table, statement] of Object.entries(statements)) {
      await sql.unsafe(`set local session_replication_role = replica; ${statement}`)
      log(`${table} filled`)
    }
  })
  log('indexes created')
  // The search for the end of the audit chain is planned once, while the chain is empty, and would read all of it.
  await sql.unsafe(`
    set local enable_seqscan = off;
    insert into audit_log (time, actor, action, subject, project_id)
      select ${time}, 'admin', 'app.update', ${app}, '${projectId}' from ${rows(size.others)};`)
  const today = `${begin + 40 * day}::bigint`
  await sql.unsafe(`
    insert into notifications (appid, notification_id, title, text, navigate_type, language, skipped, recipients, ctime)
      select ${app}, uuidv7(), 'Ready', 'Your order is ready.', '1', 'en_US', 0, 1, ${time} from ${rows(size.others)};
    insert into activities
        (appid, activity_id, open_id, uid, color, template_id, title, text, icon_url, language, valid_until, ctime, mtime)
      select ${app}, 'order-' || n, gen_random_uuid(), ${uid}, 'ffffff', 'standard', 'Order', 'Being made', 'https://shop.test/i.png',
        'en_US', 9e12, ${time}, ${time}
      from ${rows(size.others)}, ${first};
    insert into feedback (feedback_id, appid, uid, kind, reason, text, state, device, ctime, mtime)
      select uuidv7(), ${app}, ${uid}, case when n % 2 = 0 then 'report' else 'idea' end,
        case when n % 2 = 0 then 'fraud' end, 'Text', case when n % 20 < 2 then 'open' else 'closed' end, '{}', ${time}, ${time}
      from ${rows(size.others)}, ${first};
    insert into release_reviews (review_id, release_id, appid, state, ctime, mtime)
      select uuidv7(), r.release_id, r.appid, case when n <= ${size.apps} then 'submitted' else 'published' end, ${time}, ${time}
      from ${rows(size.others)} join releases r on r.appid = ${app};
    insert into change_requests (change_id, appid, kind, before, value, state, ctime, decided_time)
      select uuidv7(), ${app}, 'testers', '[]', '[]', 'approved', ${time}, ${time} from ${rows(size.others)};
    insert into blocks (block_id, state, subject, name, appid, project_id, reason, ctime, answer_time, lifted_time)
      select uuidv7(), 'appDisabled', ${app}, 'Shop', ${app}, '${projectId}', 'Why', ${time},
        case when n > ${size.apps} then ${time} end, case when n > ${size.apps} then ${time} end
      from ${rows(size.others)};
    insert into reconciliations (reconciliation_id, merchant_id, account, day, state, ctime, mtime)
      select uuidv7(), m.merchant_id, 'account-' || n, ${begin}, 'finished', ${time}, ${time}
      from ${rows(size.others)} join merchants m on m.appid = ${app};
    insert into event_endpoints (endpoint_id, url, types, ctime) values (gen_random_uuid(), 'https://events.test', '{}', ${begin});
    insert into events (event_id, type, data, users, time)
      select uuidv7(), 'trade.paid', '{}', '[]', ${time} from ${rows(size.others)};
    insert into event_deliveries (delivery_id, event_id, endpoint_id, state, ctime, mtime)
      select event_id, event_id, endpoint_id, 'delivered', time, time from events, event_endpoints;
    insert into request_log (request_id, time, appid, operation, status, duration, client)
      select lpad(to_hex(n), 32, '0'), ${Date.now() - day} + n::bigint * ${day} / ${size.others}, ${app}, 'tradedetail', 200, 1, 'souk-go/0.2.0' from ${rows(size.others)};
    insert into inbox (uid, notification_id, appid, ctime)
      select first.uid, notification_id, appid, ctime from notifications, ${first};
    insert into message_levels (uid, appid, level, mtime)
      select first.uid, appid, 'silent', ctime from apps, ${first} where project_id = '${projectId}';
    insert into sandbox_cards (card_id, sender, recipient, appid, title, path, image_url, extra_data, ctime)
      select uuidv7(), first.uid, first.uid + 1 + n % 100, ${app}, 'Tea', 'pages/a/a', '', '', ${time}
      from ${rows(size.others)}, ${first};
    insert into callback_receivers (appid, host, failing_since, last_failed) select appid, 'shop.test', ctime, ctime from apps;
    insert into service_accounts (service_account_id, project_id, name, scopes, token_hash, expires, ctime)
      select uuidv7(), '${projectId}', 'Robot ' || n, '{}', '', 9e12, ${begin} from generate_series(1, 50) n;
    insert into canaries
        (canary_id, release_id, appid, platform, state, share, uids, languages, systems, factor, min_openings, figures, ctime, mtime)
      select uuidv7(), release_id, appid, platform, 'rolledBack', 1, '{}', '{}', '{}', 2, 1, '{}', ctime + n, ctime + n
      from releases, generate_series(1, 30) n;
    insert into app_testers (appid, uid) select '${firstApp}', ${uid} from generate_series(1, 50) n, ${first};
    insert into error_recordings (recording_id, appid, uid, fingerprint, release_id, opening, size, content, ctime)
      select uuidv7(), apps.appid, ${uid}, '', gen_random_uuid(), gen_random_uuid(), 0, ${emptyFile}, apps.ctime
      from apps, generate_series(1, 20) n, ${first};
    insert into custom_events (appid, name, description, fields, set_by, mtime)
      select appid, 'event' || n, '', '{}', 'console', ctime from apps, generate_series(1, 50) n
      where project_id = '${projectId}';
    insert into alert_rules
        (rule_id, appid, metric, threshold, window_minutes, min_count, roles, account_ids, ctime, mtime)
      select gen_random_uuid(), appid, 'errors', n, 60, 1, '{}', '{}', ctime, ctime from apps, generate_series(1, 10) n;
    insert into analytics_counts (appid, span, kind, start, release_id, name, count)
      select r.appid, 'day', 'custom', ${today} - d * ${day}, release_id, 'event' || n, n
      from releases r join apps a on a.appid = r.appid and a.project_id = '${projectId}',
        generate_series(0, 4) d, generate_series(1, 5) n;
    insert into analytics_counts (appid, span, kind, start, release_id, name, count)
      select appid, span, kind, ${today} - n * ${day}, release_id, '', 1 + n
      from releases, generate_series(0, 19) n, unnest('{open,error}'::text[]) kind, unnest('{hour,day,dayTotal}'::text[]) span;`)
  const [ids] = await sql<[Omit<LargeInstallation, 'projectId' | 'appid'>]>`
    select
      first.uid,
      (select release_id from releases where appid = ${firstApp}) as release_id,
      (select trade_no from all_trades where payer = first.uid and appid = ${firstApp} limit 1) as trade_no,
      (select recording_id from error_recordings where appid = ${firstApp} limit 1) as recording_id,
      (select feedback_id from feedback where appid = ${firstApp} limit 1) as feedback_id,
      (select reconciliation_id from reconciliations limit 1) as reconciliation_id,
      (select request_id from request_log where appid = ${firstApp} limit 1) as request_id,
      (select delivery_id from event_deliveries limit 1) as delivery_id
    from (select min(uid) as uid from users) first`
  // Entries and trades were added without the triggers that keep balances and sums.
  await sql`truncate ledger_progress, trade_progress`
  await addUpLedger({ sql })
  await addUpTrades({ sql })
  // Also that indexes alone can be read.
  await sql.unsafe('vacuum analyze')
  return { projectId, appid: firstApp, ...ids }
}

/** Fills tables while they have no indexes and no unique constraints, and creates these afterwards. */
async function withoutIndexes(sql: Sql, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ table: string; name: string; definition: string; constraint: string | null }[]>`
    select indrelid::regclass::text as table, indexrelid::regclass::text as name,
      -- Also on the partitions.
      replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition, pg_get_constraintdef(c.oid) as constraint
    from pg_index left join pg_constraint c on conindid = indexrelid and contype in ('p', 'u')
    where indrelid in (
        select oid from pg_class where relname = any(${tables as string[]})
        union all
        select inhrelid from pg_inherits where inhparent in (select oid from pg_class where relname = any(${tables as string[]}))
      ) and not exists (select from pg_inherits where inhrelid = indexrelid)`
  // SQL: quoted by PostgreSQL.
  for (const { table, name, constraint } of indexes) {
    await sql.unsafe(constraint ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`)
  }
  await fill()
  for (const { table, name, definition, constraint } of indexes) {
    await sql.unsafe(constraint ? `alter table ${table} add constraint ${name} ${constraint}` : definition)
  }
}
