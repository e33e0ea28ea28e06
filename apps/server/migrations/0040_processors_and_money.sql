-- Accounts at payment processors, the ledger, refunds, and what is compared with the processors. Amounts are cents, times
-- milliseconds of the domain clock unless they are called real.

create table processor_accounts (
  processor_account_id uuid primary key,
  -- Null: takes payments of all merchants.
  merchant_id uuid references merchants,
  name text not null,
  processor text not null check (processor in ('sandbox', 'checkout', 'stripe', 'paytabs')),
  settings jsonb not null,
  key_id text not null,
  ciphertext bytea not null,
  -- Whether new payments go there. Those that exist are looked after all the same.
  enabled boolean not null default true,
  -- Failures in a row, and until when (real time) the account is taken out for them.
  failures integer not null default 0,
  out_until bigint,
  ctime bigint not null,
  mtime bigint not null
);
create index processor_accounts_by_merchant on processor_accounts (merchant_id);

-- Which account a payment goes to: the first rule, by place, that its payment fits and whose share it falls into.
create table routing_rules (
  rule_id uuid primary key,
  -- Null: for payments that no rule of their merchant takes.
  merchant_id uuid references merchants,
  place integer not null,
  currency text,
  amount_from bigint,
  amount_to bigint,
  pay_method smallint,
  -- Percent of the trades that fit.
  share smallint not null check (share between 1 and 100),
  -- In the order in which they are tried.
  processor_account_ids uuid[] not null,
  -- Is asked as well, and not used.
  shadow_account_id uuid references processor_accounts
);
create index routing_rules_by_merchant on routing_rules (merchant_id, place);

alter table payment_attempts
  drop constraint payment_attempts_cancel_for_check,
  add constraint payment_attempts_cancel_for_check check (cancel_for in ('merchant', 'payer', 'expiry', 'retry')),
  -- Null: the processor that the installation itself has, which is the sandbox's.
  add column processor_account_id uuid references processor_accounts;
create index payment_attempts_by_day on payment_attempts using brin (ctime);

-- What a second processor would have answered to a payment that another one took.
create table shadow_answers (
  attempt_id uuid primary key,
  appid text not null references apps,
  trade_no uuid not null,
  processor_account_id uuid not null references processor_accounts,
  -- What the second processor knows its payment by.
  shadow_id uuid not null,
  -- A kind of ProviderResult; null where it gave no answer.
  kind text,
  detail text,
  -- Real time, ms.
  duration integer not null,
  ctime bigint not null
);
create index shadow_answers_by_account on shadow_answers (processor_account_id, ctime);

-- Money that goes back to the payer (transactionFlow 1): of a trade that has succeeded on the operator's word, and money that
-- a trade could not take. What is equal to the trade's is written here as well, so that both are read as one list.
alter table money_returns rename to refunds;
alter table refunds
  add column refund_no uuid,
  add column cause text,
  add column merchant_id uuid references merchants,
  add column out_trade_no text,
  add column open_id uuid,
  add column payer bigint,
  add column pay_type smallint,
  add column pay_method smallint,
  -- Why the processor refused.
  add column refusal text,
  drop constraint money_returns_state_check,
  add constraint refunds_state_check check (state in ('owed', 'returned', 'refused')),
  drop constraint money_returns_pkey;
update refunds r
set refund_no = r.attempt_id, cause = 'notTaken', merchant_id = t.merchant_id, out_trade_no = t.out_trade_no,
    open_id = t.open_id, payer = t.payer, pay_type = a.pay_type, pay_method = a.pay_method
from trades t join payment_attempts a on a.appid = t.appid and a.trade_no = t.trade_no
where t.appid = r.appid and t.trade_no = r.trade_no and a.attempt_id = r.attempt_id;
alter table refunds
  alter column refund_no set not null,
  alter column cause set not null,
  add constraint refunds_cause_check check (cause in ('notTaken', 'operator')),
  alter column merchant_id set not null,
  alter column out_trade_no set not null,
  alter column open_id set not null,
  alter column payer set not null,
  alter column pay_type set not null,
  alter column pay_method set not null,
  add primary key (appid, trade_no, refund_no);
create unique index refunds_by_refund_no on refunds (refund_no);
-- What cannot be taken goes back once.
create unique index refunds_not_taken on refunds (attempt_id) where cause = 'notTaken';
create index refunds_by_time on refunds (appid, ctime, refund_no);
create index refunds_owed on refunds (ctime, refund_no) where state = 'owed';
create index refunds_of_operators on refunds (appid, ctime, refund_no) where cause = 'operator';

-- Double entry: each row takes an amount from one account and gives it to another, so that the sum of all accounts is
-- zero whatever the rows are. Nothing is ever changed or deleted.
create table ledger_entries (
  -- The attempt that brought the money, or the refund.
  reference uuid not null,
  movement text not null check (movement in ('captured', 'refundOwed', 'refundReturned', 'refundRefused')),
  -- processor:…, merchant:… or returns:…: who holds money, and whom it belongs to.
  debit text not null,
  credit text not null check (credit <> debit),
  amount bigint not null check (amount > 0),
  currency text not null,
  appid text not null,
  trade_no uuid not null,
  time bigint not null,
  primary key (reference, movement)
);
create index ledger_entries_by_debit on ledger_entries (debit) include (currency, movement, amount);
create index ledger_entries_by_credit on ledger_entries (credit) include (currency, movement, amount);

insert into ledger_entries
select
  a.attempt_id, 'captured', 'processor:' || a.provider,
  case when r.refund_no is null then 'merchant:' else 'returns:' end || replace(t.merchant_id::text, '-', ''),
  coalesce(r.amount, t.amount), coalesce(r.currency, t.currency), a.appid, a.trade_no, a.mtime
from payment_attempts a join trades t using (appid, trade_no) left join refunds r using (appid, trade_no, attempt_id)
where a.state = 'succeeded';
insert into ledger_entries
select
  r.refund_no, 'refundReturned', 'returns:' || replace(r.merchant_id::text, '-', ''), 'processor:' || a.provider, r.amount,
  r.currency, r.appid, r.trade_no, r.mtime
from refunds r join payment_attempts a using (appid, trade_no, attempt_id)
where r.state = 'returned';

-- One day of one merchant's payments at one processor, as the processor knows them and as the ledger does.
create table reconciliations (
  reconciliation_id uuid primary key,
  merchant_id uuid not null references merchants,
  -- The processor's account in the ledger.
  account text not null,
  -- When the day begins, UTC.
  day bigint not null,
  state text not null check (state in ('running', 'finished')),
  attempts integer not null default 0,
  differences integer not null default 0,
  ctime bigint not null,
  mtime bigint not null,
  unique (merchant_id, account, day)
);
create index reconciliations_by_day on reconciliations (merchant_id, day, reconciliation_id);

create table reconciliation_differences (
  reconciliation_id uuid not null references reconciliations,
  attempt_id uuid not null,
  appid text not null,
  trade_no uuid not null,
  difference text not null check (difference in ('notBooked', 'notThere', 'amount', 'refunded', 'unanswered')),
  -- What the ledger has and what the processor says, of what differs; null where it has nothing to say.
  booked bigint,
  booked_currency text,
  told bigint,
  told_currency text,
  -- Whether the door has taken since what the processor said.
  repaired boolean not null,
  detail text,
  primary key (reconciliation_id, attempt_id, difference)
);
