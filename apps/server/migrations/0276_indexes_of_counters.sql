-- Messages that wait for an answer are counted, and refunds of a user exported, without reading all others.
lock table feedback, refunds in access exclusive mode;
create index feedback_open on feedback (appid) where state = 'open' and kind <> 'report';
create index feedback_open_reports on feedback (feedback_id) where state = 'open' and kind = 'report';
create index refunds_by_payer on refunds (payer, ctime);
