-- Refunds that backends of mini apps request have an out_refund_no, and optionally a notify_url for their results, whose
-- callbacks are notify_ids. The trade_no of these is their notify_id, since a trade has one callback (ADR 315). Their
-- initiator is 'operator', so that processes of the previous version count them.
-- late_refunds: when the sandbox provider makes refunds that it has accepted, in ms of the domain clock, by refundNo.
lock table refunds, sandbox_payments in access exclusive mode;
alter table refunds add column out_refund_no text;
alter table refunds add column notify_url text;
alter table refunds add column notify_ids uuid[] not null default '{}';
-- compatible: refunds.refunds_by_out_refund_no: version 0.1.0 leaves out_refund_no null
create unique index refunds_by_out_refund_no on refunds (merchant_id, out_refund_no) where out_refund_no is not null;
alter table sandbox_payments add column late_refunds jsonb not null default '{}';
