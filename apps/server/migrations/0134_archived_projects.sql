-- Domain clock, ms. The row of a deleted project stays for the money of its mini apps (ADR 319).
lock table projects, apps in access exclusive mode;

alter table projects add column archived_time bigint, add column deleted_time bigint;
-- Restoring the project restores only the mini apps that were archived with it.
alter table apps add column archived_with_project boolean not null default false;
