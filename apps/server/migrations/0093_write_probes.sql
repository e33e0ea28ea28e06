-- Always empty: /readyz inserts a row and takes it back, to see whether the database can add a page to a table (ADR 305).
create table write_probes (filler text not null);
-- Neither compressed nor stored elsewhere, so that a row fills a page.
alter table write_probes alter column filler set storage plain;
