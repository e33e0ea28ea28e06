-- Each code is updated once, when it is exchanged. With half of its page free, this does not change the three indexes.
alter table login_codes set (fillfactor = 50);
