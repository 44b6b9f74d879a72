import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ShippingMethod } from './shipping-method.ts'

/** Deletes a shipping method. Orders keep a copy of it. */
export async function deleteShippingMethod(tx: StoreTx, id: string): Promise<void> {
  if (!(await ShippingMethod.in(tx).deleteById(id))) throw CommonErrors.notFound()
}
