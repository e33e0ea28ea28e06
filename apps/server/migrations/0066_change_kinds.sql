-- Kinds of changes are named like the settings of updateApp.
alter table change_requests drop constraint change_requests_kind_check;
alter table change_requests add constraint change_requests_kind_check check (
  kind in ('capabilities', 'publication', 'name', 'iconUrl', 'merchantName', 'merchantLogoUrl', 'domains', 'testers')
);
