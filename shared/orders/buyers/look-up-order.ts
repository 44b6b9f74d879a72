import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound, CommonErrors } from '#shared/platform/errors.ts'
import { foldCase } from '#shared/platform/text.ts'
import { issueAccessToken } from './buyer.ts'

/** Returns the number as orders store it. Buyers type it in any letter case. */
export const normalizeNumber = (number: string): string => number.trim().toUpperCase()

/**
 * Finds a guest's order by its number and e-mail address in any letter case, and issues an access token for it. Throws
 * `resource.not_found` for a wrong number or address, and for a customer's order.
 */
export async function lookUpOrder(
  tx: StoreTx,
  { number, email }: { number: string; email: string },
): Promise<{ orderId: string; accessToken: string }> {
  const order = await Order.in(tx).findOne('number', normalizeNumber(number))
  if (!order || foldCase(order.email) !== foldCase(email.trim())) throw CommonErrors.notFound()
  const accessToken = assertFound(await issueAccessToken(tx, order.id))
  return { orderId: order.id, accessToken }
}
