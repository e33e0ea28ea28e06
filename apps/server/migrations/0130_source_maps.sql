-- Source maps of scripts of releases, which only members of the project can use.
lock table releases, release_contents in access exclusive mode;

create table release_source_maps (
  release_id uuid not null references releases on delete cascade,
  -- Path of the script in the release.
  path text not null,
  content_hash bytea not null references release_contents,
  primary key (release_id, path)
);
create index release_source_maps_by_content on release_source_maps (content_hash);
