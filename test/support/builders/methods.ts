import { PAYMENT_METHODS, type PaymentMethodCode } from '#shared/payment-methods/payment-method.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { createShippingMethod } from '#shared/shipping-methods/create-shipping-method.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { buildGeoZone } from '#test/support/builders/taxes.ts'

export interface GivenMethod {
  code?: string
  name?: string
  priceMinor?: bigint
  freeFromMinor?: bigint
  maxWeightGrams?: number
  taxClassId?: string
  /** A geo zone is created of these. Default: everywhere. */
  countries?: string[]
  geoZoneIds?: string[]
  isActive?: boolean
}

/** A shipping method. Default: everywhere for 5.00. */
export async function buildShippingMethod(
  store: { id: string },
  given: GivenMethod = {},
): Promise<{ id: string; code: string; priceMinor: bigint }> {
  const { code = `shipping-${nextNumber()}`, name = 'Parcel', priceMinor = 500n, countries = [] } = given
  const geoZoneIds = given.geoZoneIds ?? []
  if (countries.length)
    geoZoneIds.push(
      (
        await buildGeoZone(
          store,
          countries.map((country) => ({ country })),
        )
      ).id,
    )
  const { method } = await inStore(store.id, (tx) =>
    createShippingMethod(tx, {
      code,
      nameI18n: { en: name },
      estimateI18n: {},
      priceMinor,
      freeFromMinor: given.freeFromMinor ?? null,
      maxWeightGrams: given.maxWeightGrams ?? null,
      taxClassId: given.taxClassId ?? null,
      geoZoneIds,
      position: 0,
      isActive: given.isActive ?? true,
    }),
  )
  return { id: method.id, code, priceMinor }
}

/** The store's payment methods. Default: all. */
export async function buildPaymentMethods(
  store: { id: string },
  codes: readonly PaymentMethodCode[] = PAYMENT_METHODS,
): Promise<void> {
  await inStore(store.id, (tx) =>
    tx
      .knex('payment_methods')
      .insert(
        codes.map((code, position) => ({
          store_id: store.id,
          id: newId(),
          code,
          name_i18n: { en: code },
          position,
          updated_at: now(),
        })),
      )
      .onConflict(['store_id', 'code'])
      .ignore(),
  )
}
