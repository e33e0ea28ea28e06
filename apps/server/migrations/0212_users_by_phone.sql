-- The recipients of notifications by phone number (generation of 2023 of the open API).
create index users_by_phone on users (phone) where phone is not null;
