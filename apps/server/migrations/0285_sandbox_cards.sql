-- Cards that the mock users of a sandbox have sent each other. Empty in live installations.
lock table apps, users in share row exclusive mode;
create table sandbox_cards (
  card_id uuid primary key,
  sender bigint not null references users (uid),
  recipient bigint not null references users (uid),
  appid text not null references apps (appid),
  title text not null,
  path text not null,
  -- An address, a data: URL, or empty.
  image_url text not null,
  -- JSON, or empty.
  extra_data text not null,
  ctime bigint not null
);
create index sandbox_cards_by_sender on sandbox_cards (sender, recipient, card_id);
create index sandbox_cards_by_recipient on sandbox_cards (recipient, sender, card_id);
create index sandbox_cards_by_app on sandbox_cards (appid);
