-- The queue of reviews is sorted by the time of submission; few of its rows still wait.
create index change_requests_by_time on change_requests (ctime, change_id);
create index change_requests_waiting on change_requests (ctime, change_id) where state = 'pending';
create index release_reviews_waiting on release_reviews (ctime, review_id) where state in ('submitted', 'inReview');
