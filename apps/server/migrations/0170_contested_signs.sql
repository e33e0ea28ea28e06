-- Another operation that the sign was used for too, at a process that did not know of the first one yet.
alter table bound_signs add column contested_by text;
