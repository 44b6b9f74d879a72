import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

/** SQL: the different rates of the store in parts per million, as a JSON list. */
export const RATES_PPM = `(
  select coalesce(json_agg(distinct rate_ppm), '[]') from tax_rates where store_id = ${CURRENT_STORE})`

/**
 * SQL: the `TaxTerms` of a place, as JSON; `around` is a relation of what `zonesAround` selects. Of a class's rates of
 * one priority the one applies whose geo zone takes the place in most closely; of equals, the oldest.
 */
export const taxTermsSql = (around: string): string => `
  json_build_object(
    'rates', coalesce((
      select json_agg(r order by r.priority) from (
        select distinct on (r.tax_class_id, r.priority)
          r.id, r.tax_class_id as "taxClassId", r.name, r.rate_ppm as "ratePpm", r.is_compound as "isCompound", r.priority
        from tax_rates r
        left join ${around} z on z.id = r.geo_zone_id
        where r.store_id = ${CURRENT_STORE} and (r.geo_zone_id is null or z.id is not null)
        order by r.tax_class_id, r.priority, coalesce(z.closeness, 0) desc, r.created_at, r.id) r), '[]'),
    'defaultClassId', (
      select id from tax_classes where store_id = ${CURRENT_STORE} and is_default))`
