-- Groups of errors count their users, so that those of one user give way to those of many, and users add a limited
-- number of groups per day.
alter table analytics_errors add column users integer not null default 0;
alter table analytics_user_days add column error_groups integer not null default 0;

create table analytics_error_users (
  appid text not null,
  fingerprint text not null,
  user_id uuid not null,
  primary key (appid, fingerprint, user_id),
  foreign key (appid, fingerprint) references analytics_errors on delete cascade
);

-- Users with events of this name in the hours of a count.
alter table analytics_counts add column users integer not null default 0;
