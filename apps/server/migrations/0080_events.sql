-- Endpoints of the company's backend, which get events.
create table event_endpoints (
  endpoint_id uuid primary key,
  url text not null,
  description text,
  -- The event types it gets.
  types text[] not null,
  enabled boolean not null default true,
  -- When a response 410 disabled it, ms.
  gone_time bigint check (gone_time is null or not enabled),
  ctime bigint not null
);

-- Secrets of endpoints, as those of mini apps: the current one has no end.
create table event_secrets (
  endpoint_id uuid not null references event_endpoints on delete cascade,
  secret_id uuid not null,
  key_id text not null,
  ciphertext bytea not null,
  valid_until bigint,
  ctime bigint not null,
  primary key (endpoint_id, secret_id)
);

-- Events that an endpoint subscribed to when they happened.
create table events (
  event_id uuid primary key,
  type text not null,
  -- What is sent, without users.
  data jsonb not null,
  -- Users that the event is about: uid, issuer, subject. Apart from data, so that an erased user can be removed.
  users jsonb not null,
  -- ms of the domain clock.
  time bigint not null
);
create index events_by_time on events (time);
create index events_by_user on events using gin (users jsonb_path_ops);

-- The outbox and history of each endpoint, with the columns of callbacks.
create table event_deliveries (
  delivery_id uuid primary key,
  event_id uuid not null references events on delete cascade,
  endpoint_id uuid not null references event_endpoints on delete cascade,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  scheduled_attempts integer not null default 0,
  next_attempt bigint,
  ctime bigint not null,
  -- When the last attempt began.
  mtime bigint not null,
  unique (event_id, endpoint_id)
);
create index event_deliveries_due on event_deliveries (next_attempt) where state = 'pending';
create index event_deliveries_by_endpoint on event_deliveries (endpoint_id, delivery_id);
create index event_deliveries_by_state on event_deliveries (endpoint_id, state, mtime);

create table event_attempts (
  delivery_id uuid not null references event_deliveries on delete cascade,
  attempt integer not null,
  time bigint not null,
  duration integer not null,
  acknowledged boolean not null,
  status smallint,
  reply text,
  error text,
  primary key (delivery_id, attempt)
);
