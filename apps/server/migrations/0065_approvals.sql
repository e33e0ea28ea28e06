-- What a mini app shows to host users and may do is requested by developers and approved by operators (ADR 283). The
-- approved values are in apps and merchants. Everything in effect today counts as approved.
create table change_requests (
  change_id uuid primary key,
  appid text not null references apps (appid),
  kind text not null check (
    kind in ('capabilities', 'publication', 'name', 'icon', 'merchantName', 'merchantLogo', 'domains', 'testers')
  ),
  -- The value in effect when the change was requested; json null if there was none.
  before jsonb not null,
  value jsonb not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
  -- Null for the admin token.
  requested_by uuid references accounts (account_id),
  decided_by uuid references accounts (account_id),
  reason text,
  ctime bigint not null,
  decided_time bigint,
  check ((state = 'pending') = (decided_time is null))
);
create unique index change_requests_pending on change_requests (appid, kind) where state = 'pending';
create index change_requests_by_app on change_requests (appid, change_id);
create index change_requests_by_state on change_requests (state, change_id);

-- Whether host users other than testers may see the mini app.
alter table apps add column publication_approved boolean not null default false;
update apps a set publication_approved =
  exists (select from releases r where r.appid = a.appid and r.current)
  or not exists (select from releases r where r.appid = a.appid);

-- Hosts that pages of the mini app may reach, by purpose.
alter table apps add column domains jsonb not null
  default '{"request": [], "upload": [], "download": [], "webView": []}';

-- Requests of a trusted project are approved at once.
alter table projects add column trusted boolean not null default false;

-- Counts if SOUK_PROJECT_CREATION is allowed.
alter table accounts add column may_create_projects boolean not null default false;
