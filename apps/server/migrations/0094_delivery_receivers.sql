-- Receivers whose last attempt was not acknowledged: hosts of callbacks, endpoints of events. They are deleted when they
-- acknowledge again. Times in ms of the domain clock.
create table delivery_receivers (
  queue text not null check (queue in ('callback', 'event')),
  receiver text not null,
  -- The first failure since the last acknowledgement.
  failing_since bigint not null,
  -- Attempts in a row that got no response. From a limit on, nothing is sent until `paused_until`.
  failures integer not null,
  -- When the next probe is due, or when the one in progress counts as lost.
  paused_until bigint not null,
  -- Whether a process has claimed the probe.
  probing boolean not null,
  primary key (queue, receiver)
);

-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table callbacks, event_deliveries in access exclusive mode;
-- The trace that a message belongs to (W3C Trace Context); null unless traces are exported.
alter table callbacks add column traceparent text;
alter table event_deliveries add column traceparent text;

-- Due messages of a receiver, first attempts before retries. domain/callbacks/store.ts has the same expressions.
create index callbacks_by_receiver on callbacks (
  coalesce(lower(substring(notify_url from '//([^/?#]*)')), ''), least(scheduled_attempts, 1), next_attempt
) where state = 'pending';
create index event_deliveries_by_receiver on event_deliveries (endpoint_id, least(scheduled_attempts, 1), next_attempt)
  where state = 'pending';

-- Counted by the metrics.
create index callbacks_dead on callbacks (notify_id) where state = 'dead';
create index event_deliveries_dead on event_deliveries (delivery_id) where state = 'dead';
