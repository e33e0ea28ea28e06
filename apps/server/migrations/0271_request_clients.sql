lock table request_log in access exclusive mode;
-- The header User-Agent of a request, such as souk-python/0.2.0 (CPython 3.11.2).
alter table request_log add column client text;
