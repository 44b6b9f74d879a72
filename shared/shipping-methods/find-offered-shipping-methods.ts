import { type Place, placeJson } from '#shared/geo/place.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/query-json.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import { TAX_RULES, type TaxRules, withZones } from '#shared/tax/tax-rules.ts'
import {
  isOfferedSql,
  type OfferedMethod,
  type OfferedRow,
  offeredRowInSql,
  toOffered,
} from './offered-method.ts'

const FIND_OFFERED: Statement = {
  name: 'find_offered_methods',
  text: `
    with ${withZones('$1::jsonb')}
    select json_build_object(
      'methods', coalesce((
        select json_agg(${offeredRowInSql('$2::jsonb')} order by method.position, method.code)
        from shipping_methods method
        where ${isOfferedSql('$1::jsonb')}), '[]'),
      'tax', ${TAX_RULES})::text as json`,
}

/**
 * Finds the shipping methods to a place, in the store's sequence, and the tax rules there. The texts of a method are
 * those in `languages`, or else any one.
 */
export async function findOfferedShippingMethods(
  scope: ReadScope,
  place: Place,
  languages: readonly string[],
): Promise<{ methods: OfferedMethod[]; tax: TaxRules }> {
  const [row] = await queryJson<{ methods: OfferedRow[]; tax: TaxRules }>(scope, FIND_OFFERED, [
    placeJson(place),
    JSON.stringify([...new Set(languages)]),
  ])
  if (!row) throw new Error('The offered methods of a place are one row')
  return { methods: row.methods.map(toOffered), tax: row.tax }
}
