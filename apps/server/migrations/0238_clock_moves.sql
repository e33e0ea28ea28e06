-- When the sandbox clock was moved, so that real times can be shown for its times.
create table sandbox_clock_moves (
  move_id bigint generated always as identity primary key,
  moved_time bigint not null,
  offset_ms bigint not null
);

-- Earlier moves are not known: since the beginning, the clock has had the present offset.
insert into sandbox_clock_moves (moved_time, offset_ms)
select 0, offset_ms from sandbox_clock where offset_ms <> 0;
