-- Deleting a notification searched all inboxes for its number, which has no index there. Both are written by one
-- statement, and an inbox without its notification shows nothing.
lock table notifications, inbox in access exclusive mode;
alter table inbox drop constraint inbox_appid_notification_id_fkey;
