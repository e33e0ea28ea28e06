-- Whether hosts report what happens in the mini apps of a project, and the salt of its users' pseudonyms (ADR 324).
alter table projects
  add column analytics boolean not null default true,
  add column analytics_salt uuid not null default gen_random_uuid();
