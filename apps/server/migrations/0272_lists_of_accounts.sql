-- Accounts, members and invitations are read a page at a time.
lock table accounts, invitations, project_members in access exclusive mode;
create index accounts_by_name on accounts (lower(name), account_id);
create index invitations_in_order on invitations (project_id, invitation_id);
create index project_members_in_order on project_members
  (project_id, array_position(array['owner', 'editor', 'viewer'], role), ctime, account_id);
create index project_members_by_time on project_members (project_id, ctime);
