import type { AffiliateInput } from '#shared/affiliates/lifecycle/create-affiliate.ts'
import { createAffiliate } from '#shared/affiliates/lifecycle/create-affiliate.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { type BuiltAccount, buildCustomer } from '#test/support/builders/accounts.ts'
import {
  buildCapturedOrder,
  type CapturedOrder,
  type GivenOrder,
} from '#test/support/builders/captured-order.ts'
import { nextNumber } from '#test/support/builders/store.ts'

export interface BuiltAffiliate {
  id: string
  code: string
  customer: BuiltAccount
}

/** An approved affiliate. */
export async function buildAffiliate(
  store: { id: string },
  given: Partial<AffiliateInput> = {},
): Promise<BuiltAffiliate> {
  const customer = await buildCustomer(store, { verifiedAt: now() })
  const input = { code: `partner-${nextNumber()}`, ...given }
  const { id, code } = await inStore(store.id, (tx) =>
    createAffiliate(tx, customer.id, input, { id: 'staff', rights: RIGHTS }),
  )
  return { id, code, customer }
}

/** A paid and complete order that an affiliate's link led to. Default: two units of 10.00 and shipping of 5.00. */
export async function buildCompleteOrder(
  store: { id: string },
  given: GivenOrder & { affiliateId: string },
): Promise<CapturedOrder> {
  const order = await buildCapturedOrder(store, given)
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  return order
}
