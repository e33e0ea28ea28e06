-- Contents of release files are stored in parts, so that neither an upload nor a download holds a whole file in memory.
create table release_content_parts (
  content_hash bytea not null references release_contents on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (content_hash, part)
);

insert into release_content_parts (content_hash, part, content)
select content_hash, part, substring(content from part * 131072 + 1 for 131072)
from release_contents, generate_series(0, (length(content) + 131071) / 131072 - 1) as part;

alter table release_contents add column size integer;
update release_contents set size = length(content);
alter table release_contents alter column size set not null, drop column content;
