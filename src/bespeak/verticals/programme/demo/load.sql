-- name: to_come
-- The performances of the demo that are still to come, by time: at the venue that this version of it made, or
-- at one of its name, which another version made.
select s.resource_id from programme.performance s join programme.venue v using (venue_id)
where v.workspace = $1 and s.starts_at > $4
  and (v.name = $2 or v.venue_id in (
      select m.thing_id from programme.made m
      where m.workspace = $1 and m.key = sha256(convert_to($3, 'UTF8'))
  ))
order by s.starts_at, s.resource_id
