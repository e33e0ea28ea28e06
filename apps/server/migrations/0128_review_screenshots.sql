-- Images that show a release to its reviewer (ADR 320).
alter table release_reviews add column screenshots uuid[] not null default '{}';
