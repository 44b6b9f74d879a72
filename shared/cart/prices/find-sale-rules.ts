import { type Place, placeJson } from '#shared/geo/place.ts'
import { isAvailable, offersPaymentMethodSql } from '#shared/payment-methods/payment-method.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/query-json.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import {
  type OfferedMethod,
  type OfferedRow,
  offeredMethodSql,
  toOffered,
} from '#shared/shipping-methods/offered-method.ts'
import { TAX_RULES, type TaxRules, withZones } from '#shared/tax/tax-rules.ts'

const FIND_SALE_RULES: Statement = {
  name: 'find_sale_rules',
  text: `
    with ${withZones('$1::jsonb')}
    select json_build_object(
      'shipping', (${offeredMethodSql('$2::uuid', '$1::jsonb')}),
      'takesPayment', ${offersPaymentMethodSql('$3::text')},
      'tax', ${TAX_RULES})::text as json`,
}

/** The place and the methods that a sale depends on. */
export interface SaleQuery {
  place: Place
  shippingMethodId?: string | undefined
  paymentMethod?: string | undefined
}

/** The rules of a sale to a place. */
export interface SaleRules {
  /** Undefined if the method does not deliver there, or the store does not sell there. */
  shipping: OfferedMethod | undefined
  /** Whether the payment method is active. */
  takesPayment: boolean
  tax: TaxRules
}

/** Finds the rules of a sale to a place with a shipping and payment method. It is one statement. */
export async function findSaleRules(
  scope: ReadScope,
  { place, shippingMethodId, paymentMethod }: SaleQuery,
): Promise<SaleRules> {
  const [row] = await queryJson<Omit<SaleRules, 'shipping'> & { shipping: OfferedRow | null }>(
    scope,
    FIND_SALE_RULES,
    [
      placeJson(place),
      shippingMethodId ?? null,
      paymentMethod && isAvailable(paymentMethod) ? paymentMethod : null,
    ],
  )
  if (!row) throw new Error('The rules of a sale are one row')
  return { ...row, shipping: row.shipping ? toOffered(row.shipping) : undefined }
}
