-- Split the cause of a refund into who initiated it and why. The text that explains it becomes the note.
alter table refunds rename column reason to note;
alter table refunds add column initiator text, add column reason text;

update refunds
set
  initiator = case cause when 'operator' then 'operator' else 'system' end,
  reason = case
    when cause = 'operator' then 'requested'
    when note = 'differs from the trade' then 'amountMismatch'
    else 'tradeFinal'
  end;

-- Drops the constraint and the indexes on it as well.
alter table refunds drop column cause;
alter table refunds
  alter column initiator set not null,
  alter column reason set not null,
  add constraint refunds_initiator_check check (initiator in ('operator', 'system')),
  add constraint refunds_reason_check check (reason in ('requested', 'tradeFinal', 'amountMismatch'));
create unique index refunds_by_system on refunds (attempt_id) where initiator = 'system';
create index refunds_by_operators on refunds (appid, ctime, refund_no) where initiator = 'operator';

update trade_events
set detail = detail - 'cause' || jsonb_build_object(
  'initiator', case detail ->> 'cause' when 'operator' then 'operator' else 'system' end)
where event in ('moneyReturned', 'moneyRefused', 'moneyCameBack') and detail ? 'cause';
