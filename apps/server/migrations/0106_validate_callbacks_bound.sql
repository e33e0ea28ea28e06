-- Reads both tables while others read and write them. Separate, because the next migration starts with a stronger lock.
alter table callbacks validate constraint callbacks_bound;
alter table callback_attempts validate constraint callback_attempts_bound;
