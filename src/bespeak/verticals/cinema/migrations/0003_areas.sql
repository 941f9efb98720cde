-- A screen may have areas to stand in. Which a show has stands beside it, so that their places are
-- counted without its plan, and nothing is looked for in those that have none.
alter table cinema.show add column areas text[] not null default '{}';

-- Those of before are counted as those that are made from now on.
update cinema.screen c set seats = c.seats + a.places
from (
    select s.screen_id, sum((p ->> 'capacity')::integer)::integer as places
    from cinema.screen s cross join lateral jsonb_array_elements(s.plan -> 'pools') p
    group by s.screen_id
) a
where a.screen_id = c.screen_id;
update cinema.show h set areas = a.areas, units_total = h.units_total + a.places
from (
    select r.resource_id, array_agg(p ->> 'unit') as areas,
        sum((p ->> 'capacity')::integer)::integer as places
    from cinema.show s join bespeak.resource r on r.resource_id = s.resource_id
    cross join lateral jsonb_array_elements(r.plan -> 'pools') p
    group by r.resource_id
) a
where a.resource_id = h.resource_id;
