-- Notes for users by language tag. Notes of earlier releases were written for reviewers and stay in `note` only.
alter table releases add column notes jsonb not null default '{}';
-- Minimum version of the runtime in hosts, from the manifest; null if every version will do.
alter table releases add column min_runtime text;
