-- Counts of days without names ('dayTotal') and of names per week ('week'), so that a year of analytics is read fast.
alter table analytics_counts drop constraint analytics_counts_span_check,
  add constraint analytics_counts_span_check check (span in ('hour', 'day', 'dayTotal', 'week'));

insert into analytics_counts (appid, span, kind, start, release_id, name, count)
select appid, 'dayTotal', kind, start, release_id, '', sum(count)
from analytics_counts where span = 'day'
group by appid, kind, start, release_id;

-- Weeks start on Monday, and 1970-01-01 was a Thursday.
insert into analytics_counts (appid, span, kind, start, release_id, name, count)
select appid, 'week', kind, ((start / 86400000 + 3) / 7 * 7 - 3) * 86400000 as week, release_id, name, sum(count)
from analytics_counts where span = 'day' and kind in ('page', 'request', 'launchFailure', 'error')
group by appid, kind, week, release_id, name;
