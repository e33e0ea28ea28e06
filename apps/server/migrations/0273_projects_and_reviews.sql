-- Projects and what waits for reviews are read a page at a time, also by state.
lock table blocks, change_requests, projects, release_reviews in access exclusive mode;
create index projects_by_name on projects (name, project_id) where archived_time is null;
create index blocks_waiting on blocks (appeal_time, block_id) where appeal_time is not null and answer_time is null;
create index change_requests_in_state on change_requests (state, ctime, change_id);
create index release_reviews_in_state on release_reviews (state, ctime, review_id);
