-- Contents in the object storage, by the SHA-256 of their bytes, which is also their name there. A row is inserted before
-- its object, so that no object is unknown. time is real time, ms: the last change of state, or the end of the last use.
create table stored_objects (
  hash bytea primary key,
  size bigint not null,
  state text not null check (state in ('uploading', 'stored', 'deleting')),
  time bigint not null
);
create index stored_objects_by_age on stored_objects (time);

-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table files, release_contents in access exclusive mode;
-- Null for a content in the database. Otherwise content is null, and there are no parts.
alter table files alter column content drop not null, add column object bytea references stored_objects;
create index files_by_object on files (object) where object is not null;
alter table release_contents add column object bytea references stored_objects;
create index release_contents_by_object on release_contents (object) where object is not null;
