import { newId } from '#shared/platform/id.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { PAYMENT_METHODS, type PaymentMethodCode } from '#shared/settings/payment-method.ts'
import { nextNumber } from './build.ts'

/** A way to ship everywhere for 5.00, unless told otherwise. */
export async function buildShippingMethod(
  store: { id: string },
  given: { code?: string; name?: string; priceMinor?: bigint; countries?: string[]; isActive?: boolean } = {},
): Promise<{ id: string; code: string; priceMinor: bigint }> {
  const { code = `shipping-${nextNumber()}`, name = 'Parcel', priceMinor = 500n } = given
  const id = newId()
  await inStore(store.id, (tx) =>
    tx.knex('shipping_methods').insert({
      store_id: store.id,
      id,
      code,
      name_i18n: { en: name },
      price_minor: priceMinor,
      countries: given.countries ?? [],
      is_active: given.isActive ?? true,
    }),
  )
  return { id, code, priceMinor }
}

/** The store's ways to pay: all of them, unless told otherwise. */
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
        })),
      )
      .onConflict(['store_id', 'code'])
      .ignore(),
  )
}
