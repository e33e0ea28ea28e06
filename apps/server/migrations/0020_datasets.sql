-- Datasets that members fill. The built-in ones of each project are views of the platform's own tables and have no rows here.

create table datasets (
  dataset_id uuid primary key,
  project_id uuid not null references projects,
  name text not null,
  description text,
  -- [{name, type, required, description}], in the order of the columns. It never changes.
  fields jsonb not null,
  ctime bigint not null,
  unique (project_id, name)
);

-- record holds no nulls: a missing value is a missing name. record_id begins with the time, so the newest are at one end.
create table dataset_records (
  dataset_id uuid not null,
  record_id uuid not null,
  ctime bigint not null,
  record jsonb not null,
  primary key (dataset_id, record_id)
);

-- Appends that carried a batchId, so that a repeated one is recognised. time is real time.
create table dataset_batches (
  dataset_id uuid not null,
  batch_id text not null,
  digest bytea not null,
  records integer not null,
  time bigint not null,
  primary key (dataset_id, batch_id)
);
create index dataset_batches_by_age on dataset_batches (time);

-- What pages of the built-in datasets are read along.
create index activities_by_creation on activities (appid, ctime, activity_id, open_id);
create index open_ids_by_user on open_ids (appid, uid);
