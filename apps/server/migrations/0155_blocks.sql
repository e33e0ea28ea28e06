-- What administrators block stays blocked until an administrator lifts it (ADR 355). Times are ms of real time.
lock table accounts, apps, projects in access exclusive mode;

create table blocks (
  block_id uuid primary key,
  state text not null,
  -- The appid, releaseId or other id, without dashes; of a removed capability or list of hosts the appid and its name.
  subject text not null,
  -- The name when it was blocked; the version of a release.
  name text not null,
  appid text references apps,
  project_id uuid references projects,
  -- SHA-256 of the paths and contents of a blocked release, by which its copies are known.
  digest bytea,
  -- Whether its owners had set the state before.
  was_set boolean not null default false,
  reason text,
  -- Null for the admin token.
  blocked_by uuid references accounts,
  ctime bigint not null,
  appeal text,
  appealed_by uuid references accounts,
  appeal_time bigint,
  answer text,
  answered_by uuid references accounts,
  answer_time bigint,
  lifted_time bigint,
  check (state in (
    'appDisabled', 'appArchived', 'capabilityRemoved', 'hostsRemoved', 'projectArchived', 'analyticsOff',
    'releaseWithdrawn', 'releaseRejected', 'canaryPaused', 'accountDisabled', 'providerAccountDisabled', 'userDisabled'
  )),
  check ((appeal is null) = (appeal_time is null)),
  check (lifted_time is null or answer_time is not null)
);
create unique index blocks_in_force on blocks (state, subject) where lifted_time is null;
create index blocks_by_app on blocks (appid);
create index blocks_by_project on blocks (project_id) where lifted_time is null;
create index blocks_by_subject on blocks (subject, ctime);
create index blocks_by_time on blocks (ctime, block_id);
create index blocks_appealed on blocks (appeal_time, block_id) where appeal_time is not null;

-- States from before. The audit log says who has set them; without an entry they count as set by the owners. Whether an
-- account was an administrator at that time is not recorded, so its present rights count.
create temporary table operator_entries on commit drop as
select l.* from audit_log l left join accounts a using (account_id)
where (l.actor = 'admin' or a.administrator)
  and l.action in (
    'app.update', 'app.archive', 'project.archive', 'project.analytics', 'account.disable', 'provider.update',
    'user.disable', 'release.withdraw', 'release.stage', 'release.pauseCanary'
  );

create temporary table last_changes on commit drop as
select distinct on (state, subject) state, subject, audit_id from (
  select 'appDisabled' as state, subject, audit_id from audit_log where action = 'app.update' and detail ? 'enabled'
  union all
  select 'appArchived', subject, audit_id from audit_log where action in ('app.archive', 'app.restore')
  union all
  select 'projectArchived', subject, audit_id from audit_log where action in ('project.archive', 'project.restore')
  union all
  select 'analyticsOff', subject, audit_id from audit_log where action = 'project.analytics'
  union all
  select 'accountDisabled', subject, audit_id from audit_log where action in ('account.disable', 'account.enable')
  union all
  select 'userDisabled', subject, audit_id from audit_log where action in ('user.disable', 'user.enable')
  union all
  -- Each change records whether it is enabled, so the first entry after which it stayed disabled counts.
  select 'providerAccountDisabled', l.subject, min(l.audit_id) from audit_log l
  where l.action = 'provider.update' and l.detail ->> 'enabled' = 'false' and not exists (
    select from audit_log later
    where later.action = 'provider.update' and later.subject = l.subject and later.audit_id > l.audit_id
      and later.detail ->> 'enabled' = 'true'
  )
  group by l.subject
  union all
  select 'canaryPaused', detail ->> 'releaseId', audit_id from audit_log
  where action in ('release.pauseCanary', 'release.resumeCanary', 'release.startCanary')
  union all
  select 'releaseWithdrawn', detail ->> 'releaseId', audit_id from audit_log
  where action in ('release.withdraw', 'release.stage', 'release.submit', 'release.publish', 'release.approve')
) changes
order by state, subject, audit_id desc;

insert into blocks (block_id, state, subject, name, appid, project_id, blocked_by, ctime, digest)
select gen_random_uuid(), c.state, c.subject, found.name, found.appid, found.project_id, e.account_id, e.time,
  case when found.release_id is not null then (
    select sha256(convert_to(string_agg(path || ' ' || encode(content_hash, 'hex'), E'\n' order by path), 'UTF8'))
    from release_files f where f.release_id = found.release_id
  ) end
from last_changes c
  join operator_entries e using (audit_id)
  join (
    select 'appDisabled' as state, appid as subject, name, appid, project_id, null::uuid as release_id
    from apps where not enabled and deleted_time is null
    union all
    select 'appArchived', appid, name, appid, project_id, null
    from apps where archived_time is not null and not archived_with_project and deleted_time is null
    union all
    select 'projectArchived', replace(project_id::text, '-', ''), name, null, project_id, null
    from projects where archived_time is not null and deleted_time is null
    union all
    select 'analyticsOff', replace(project_id::text, '-', ''), name, null, project_id, null
    from projects where not analytics and deleted_time is null
    union all
    select 'accountDisabled', replace(account_id::text, '-', ''), name, null, null, null from accounts where not enabled
    union all
    select 'userDisabled', uid::text, nickname, null, null, null
    from users where disabled_time is not null and erased_time is null
    union all
    select 'providerAccountDisabled', replace(provider_account_id::text, '-', ''), p.name, a.appid, a.project_id, null
    from provider_accounts p left join merchants m using (merchant_id) left join apps a on a.appid = m.appid
    where not p.enabled
    union all
    select 'canaryPaused', replace(r.release_id::text, '-', ''), r.version, r.appid, a.project_id, r.release_id
    from canaries c join releases r using (release_id) join apps a on a.appid = r.appid where c.state = 'paused'
    union all
    select 'releaseWithdrawn', replace(r.release_id::text, '-', ''), r.version, r.appid, a.project_id, r.release_id
    from releases r join apps a on a.appid = r.appid where r.stage = 'development'
  ) found on found.state = c.state and found.subject = c.subject
where e.action <> 'release.stage' or e.detail ->> 'stage' = 'development';

-- Only administrators reject releases.
insert into blocks (block_id, state, subject, name, appid, project_id, reason, blocked_by, ctime, digest)
select gen_random_uuid(), 'releaseRejected', replace(r.release_id::text, '-', ''), r.version, r.appid, a.project_id,
  nullif(left((select string_agg(reason ->> 'text', ' ') from jsonb_array_elements(last.reasons) reason), 500), ''),
  (select account_id from release_review_events e
   where e.review_id = last.review_id and e.state = 'rejected' order by e.time desc limit 1),
  last.mtime,
  (select sha256(convert_to(string_agg(path || ' ' || encode(content_hash, 'hex'), E'\n' order by path), 'UTF8'))
   from release_files f where f.release_id = r.release_id)
from releases r
  join apps a on a.appid = r.appid and a.deleted_time is null
  cross join lateral (
    select * from release_reviews v where v.release_id = r.release_id order by ctime desc, review_id desc limit 1
  ) last
where last.state = 'rejected' and r.stage = 'development';
