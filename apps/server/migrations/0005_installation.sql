-- What an installation was at its first start and stays: servers that say otherwise do not start.
create table installation (
  only_row boolean primary key default true check (only_row),
  environment text not null check (environment in ('sandbox', 'live')),
  key_id text not null
);
