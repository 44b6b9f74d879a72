import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { defaultPaymentMethod, isAvailable, PaymentMethod } from './payment-method.ts'

export interface PaymentMethodChange {
  isActive?: boolean
  nameI18n?: Record<string, string>
  instructionsI18n?: Record<string, string>
  position?: number
}

interface UpdateContext {
  ifMatch: string | undefined
  /** Reports the change. Payment methods may not import the staff, so the caller passes this in. */
  report(tx: StoreTx, before: PaymentMethod, after: PaymentMethod): Promise<void>
}

/**
 * Changes a payment method for later checkouts. Throws `resource.not_found` for an unknown code,
 * `resource.changed`, and 429 past the limit of mails about changes.
 */
export async function updatePaymentMethod(
  tx: StoreTx,
  code: string,
  change: PaymentMethodChange,
  { ifMatch, report }: UpdateContext,
): Promise<PaymentMethod> {
  if (!isAvailable(code)) throw CommonErrors.notFound()
  await PaymentMethod.in(tx).insert(defaultPaymentMethod(code)).onConflict(['store_id', 'code']).ignore()
  const before = await PaymentMethod.in(tx).findOne({ code }).forNoKeyUpdate().throwIfNotFound()
  assertUnchanged(before, ifMatch)
  const changed = { ...change, updatedAt: nextUpdatedAt(before) }
  const after = await PaymentMethod.in(tx).patchAndFetchById(before.id, changed)
  await report(tx, before, after)
  return after
}
