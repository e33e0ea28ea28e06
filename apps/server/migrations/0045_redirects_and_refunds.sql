-- A payer who pays on the processor's own page: the attempt is in flight while the page is open, and over when it lapses.
alter table payment_attempts
  add column redirect_url text,
  drop constraint payment_attempts_state_check,
  add constraint payment_attempts_state_check
    check (state in ('created', 'pending', 'challenge', 'redirect', 'succeeded', 'failed', 'canceled', 'expired'));

drop index payment_attempts_in_flight;
create index payment_attempts_in_flight on payment_attempts (mtime)
  where state in ('created', 'pending', 'challenge', 'redirect');

-- What the sandbox's processor has given back of a payment: cents by refundNo.
alter table sandbox_payments add column refunds jsonb not null default '{}';
