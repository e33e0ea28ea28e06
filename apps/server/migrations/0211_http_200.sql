-- Whether errors of the open API have HTTP 200; null: as the installation is configured.
alter table apps add column open_api_always_200 boolean;
