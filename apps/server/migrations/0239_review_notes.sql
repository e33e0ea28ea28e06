-- The note of a reviewer with a decision, which the developer sees.
alter table release_review_events add column note text;
