-- Messages of host users about mini apps: feedback for the project, reports for the operator (ADR 328).
lock table accounts, service_accounts, apps, users, releases in access exclusive mode;

create table feedback (
  feedback_id uuid primary key,
  appid text not null references apps on delete cascade,
  uid bigint not null references users,
  kind text not null check (kind in ('problem', 'idea', 'praise', 'report')),
  -- Of a report.
  reason text,
  text text,
  state text not null check (state in ('open', 'answered', 'closed')),
  release_id uuid references releases on delete set null,
  -- Kept when the release is deleted.
  platform text,
  version text,
  page text,
  device jsonb not null,
  answer text,
  -- Both null for the admin token.
  answered_by uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Domain clock, ms.
  answer_time bigint,
  answer_read boolean not null default false,
  ctime bigint not null,
  mtime bigint not null,
  check ((kind = 'report') = (reason is not null)),
  check (kind = 'report' or text is not null),
  check ((answer is null) = (answer_time is null))
);
create index feedback_of_app on feedback (appid, feedback_id) where kind <> 'report';
create index feedback_reports on feedback (feedback_id) where kind = 'report';
create index feedback_of_user on feedback (uid, feedback_id);
create index feedback_of_release on feedback (release_id) where release_id is not null;
create index feedback_by_time on feedback (mtime);
