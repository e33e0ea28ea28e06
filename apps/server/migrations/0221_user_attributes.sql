-- Claims of identity providers that scopes of the operator name.
create table user_attributes (
  uid bigint not null references users (uid),
  claim text not null,
  value text not null,
  primary key (uid, claim)
);
