-- In a migration of their own, since they take long, and other tables would be locked meanwhile. These can be read.
lock table analytics_counts, analytics_events in share mode;
create index analytics_events_by_name on analytics_events (appid, name, time) where kind = 'custom';
-- The dataset of custom events.
create index analytics_counts_of_events on analytics_counts (appid, start, release_id, name)
  where span = 'day' and kind in ('custom', 'customValue', 'customSum');
