-- Lists of mini apps are read a page at a time, by their creation or their names.
lock table apps in access exclusive mode;
create index apps_by_creation on apps (project_id, ctime, appid) where deleted_time is null;
create index apps_by_name on apps (project_id, lower(name), appid) where deleted_time is null;
create index all_apps_by_creation on apps (ctime, appid) where deleted_time is null;
create index all_apps_by_name on apps (lower(name), appid) where deleted_time is null;
