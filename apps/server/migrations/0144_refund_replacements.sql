-- A refund of an unapplied payment that was rejected for a day is replaced by another one, and stays as refused.
-- compatible: refunds.refunds_open_by_system: the index in its place allowed even less
drop index refunds_by_system;
create index refunds_by_system on refunds (attempt_id) where initiator = 'system';
create unique index refunds_open_by_system on refunds (attempt_id) where initiator = 'system' and state <> 'refused';
