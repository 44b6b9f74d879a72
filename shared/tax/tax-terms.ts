import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

/** A tax rate that applies to a place. */
export interface AppliedRate {
  id: string
  taxClassId: string
  name: string
  ratePpm: number
  isCompound: boolean
}

/** The taxes of a place. */
export interface TaxTerms {
  /** Sorted by priority, one rate for each class and priority. */
  rates: readonly AppliedRate[]
  /** The class of goods and shipping methods without one. */
  defaultClassId: string | null
}

/** The terms for a buyer who may be exempt from tax. */
export const termsFor = ({ isTaxExempt }: { isTaxExempt: boolean }, terms: TaxTerms): TaxTerms =>
  isTaxExempt ? { ...terms, rates: [] } : terms

/**
 * SQL: the `TaxTerms` of a place as JSON; `around` is a relation with the columns of `zonesAround`. Of a class's rates
 * with the same priority, the one with the closest geo zone applies; of equals, the oldest.
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
