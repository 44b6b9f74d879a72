import { type Place, placeJson } from '#shared/geo/place.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/json-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { TAX_TERMS, type TaxTerms, withZones } from '#shared/tax/tax-terms.ts'
import { isOffered, OFFERED_ROW, type OfferedMethod, type OfferedRow, toOffered } from './offered-method.ts'
import { isAvailable } from './payment-method.ts'

const FIND_TERMS: Statement = {
  name: 'find_terms',
  text: `
    with ${withZones('$1::jsonb')}
    select json_build_object(
      'shipping', (
        select ${OFFERED_ROW} from shipping_methods s
        where s.id = $2::uuid and ${isOffered('$1::jsonb')}),
      'takesPayment', exists (
        select from payment_methods where store_id = ${CURRENT_STORE} and code = $3::text and is_active),
      'tax', ${TAX_TERMS})::text as json`,
}

/** The place and the methods that a sale depends on. */
export interface TermsQuery {
  place: Place
  shippingMethodId?: string | undefined
  paymentMethod?: string | undefined
}

/** The terms of a sale to a place. */
export interface Terms {
  /** Undefined when the method does not deliver there or the store does not sell there. */
  shipping: OfferedMethod | undefined
  /** Whether the payment method is active. */
  takesPayment: boolean
  tax: TaxTerms
}

/** Finds the terms of a sale to a place, by shipping and payment method, in one statement. */
export async function findTerms(
  scope: ReadScope,
  { place, shippingMethodId, paymentMethod }: TermsQuery,
): Promise<Terms> {
  const [row] = await queryJson<Omit<Terms, 'shipping'> & { shipping: OfferedRow | null }>(
    scope,
    FIND_TERMS,
    [
      placeJson(place),
      shippingMethodId ?? null,
      paymentMethod && isAvailable(paymentMethod) ? paymentMethod : null,
    ],
  )
  if (!row) throw new Error('The terms of a place are one row')
  return { ...row, shipping: row.shipping ? toOffered(row.shipping) : undefined }
}

const FIND_OFFERED: Statement = {
  name: 'find_offered_methods',
  text: `
    with ${withZones('$1::jsonb')}
    select json_build_object(
      'methods', coalesce((
        select json_agg(${OFFERED_ROW} order by s.position, s.code) from shipping_methods s
        where ${isOffered('$1::jsonb')}), '[]'),
      'tax', ${TAX_TERMS})::text as json`,
}

/** Finds the shipping methods to a place in the store's order, and the taxes there. */
export async function findOfferedMethods(
  scope: ReadScope,
  place: Place,
): Promise<{ methods: OfferedMethod[]; tax: TaxTerms }> {
  const [row] = await queryJson<{ methods: OfferedRow[]; tax: TaxTerms }>(scope, FIND_OFFERED, [
    placeJson(place),
  ])
  if (!row) throw new Error('The offered methods of a place are one row')
  return { methods: row.methods.map(toOffered), tax: row.tax }
}
