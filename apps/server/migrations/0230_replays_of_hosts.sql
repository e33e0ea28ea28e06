-- A replay of the callbacks to one host and port; null for all.
alter table callback_replays add column host text;
