import { type Static, Type } from 'typebox'
import { OrderMailData } from '#shared/order-mails/mails/order-mail.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
import type { SubscriptionView } from '#shared/subscriptions/view.ts'

/** The data of every mail about a subscription, in its language. */
export const SubscriptionMailData = Shape({
  subscription_id: Type.String(),
  firstname: Type.String(),
  plan_name: Type.String(),
  name: Type.String(),
  quantity: Type.Integer(),
  next_charge_at: Nullable(Type.String()),
  card: Nullable(Shape({ brand: Type.String(), last4: Type.String() })),
  /** The failed charge. */
  failure: Nullable(
    Shape({
      charge_no: Type.Integer(),
      reason: Type.String(),
      next_attempt_at: Nullable(Type.String()),
      /** Null if no order could be placed. */
      order: Nullable(OrderMailData),
    }),
  ),
})
export type SubscriptionMailData = Static<typeof SubscriptionMailData>

/** Selects the data of a mail from the subscription of an event. `order` is the order of its failed charge. */
export const toMailData = (
  { id, plan_name, name, quantity, next_charge_at, card, failed_charge }: SubscriptionView,
  { firstname, order }: { firstname: string; order: OrderMailData | null },
): SubscriptionMailData => ({
  subscription_id: id,
  firstname,
  plan_name,
  name,
  quantity,
  next_charge_at,
  card: card && { brand: card.brand, last4: card.last4 },
  failure: failed_charge && {
    charge_no: failed_charge.charge_no,
    reason: failed_charge.reason,
    next_attempt_at: failed_charge.next_attempt_at,
    order,
  },
})
