-- Reviews of releases (ADR 320). Earlier ones of a release stay as its history.
lock table accounts, service_accounts, apps, releases, platform_settings in access exclusive mode;

create table release_reviews (
  review_id uuid primary key,
  release_id uuid not null references releases on delete cascade,
  appid text not null references apps,
  state text not null check (
    state in ('submitted', 'inReview', 'approved', 'scheduled', 'rejected', 'published', 'withdrawn')
  ),
  note text,
  -- How the reviewer signs in to the mini app.
  test_account text,
  -- List of objects with item and text, after a rejection.
  reasons jsonb not null default '[]',
  -- Domain clock, ms; set while scheduled.
  publish_time bigint,
  -- Both null for the admin token.
  submitted_by uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Real time, ms.
  ctime bigint not null,
  mtime bigint not null,
  check ((state = 'scheduled') = (publish_time is not null))
);
create unique index release_reviews_open on release_reviews (release_id)
  where state in ('submitted', 'inReview', 'approved', 'scheduled');
create index release_reviews_of_release on release_reviews (release_id, ctime, review_id);
create index release_reviews_of_app on release_reviews (appid, ctime, review_id);
create index release_reviews_by_time on release_reviews (ctime, review_id);
create index release_reviews_due on release_reviews (publish_time) where state = 'scheduled';

-- Changes of the state of a review.
create table release_review_events (
  event_id uuid primary key,
  review_id uuid not null references release_reviews on delete cascade,
  state text not null,
  reasons jsonb not null default '[]',
  -- Who changed it: admin, system, or one of the next two.
  actor text not null check (actor in ('account', 'serviceAccount', 'admin', 'system')),
  account_id uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Real time, ms.
  time bigint not null
);
create index release_review_events_of_review on release_review_events (review_id, event_id);

-- Whether a release needs an approved review before its publication.
alter table platform_settings add column require_reviews boolean not null default false;

-- Releases that were submitted before reviews were stored.
with submitted as (
  insert into release_reviews (review_id, release_id, appid, state, submitted_by, service_account_id, ctime, mtime)
  select gen_random_uuid(), release_id, appid, 'submitted', uploaded_by, service_account_id, ctime, ctime
  from releases where stage = 'review'
  returning review_id, submitted_by, service_account_id, ctime
)
insert into release_review_events (event_id, review_id, state, actor, account_id, service_account_id, time)
select gen_random_uuid(), review_id, 'submitted',
  case when submitted_by is not null then 'account' when service_account_id is not null then 'serviceAccount' else 'admin' end,
  submitted_by, service_account_id, ctime
from submitted;
