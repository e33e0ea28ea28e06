-- Scopes of user data that the operator defines. fields: [{"name", "claim"}].
create table user_scopes (
  scope text primary key,
  titles jsonb not null,
  fields jsonb not null,
  requires_consent boolean not null,
  ctime bigint not null
);
