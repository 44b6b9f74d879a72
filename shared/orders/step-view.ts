import { type Static, Type } from 'typebox'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'
import type { OrderStep } from './order-step.ts'
import { ORDER_STATUSES } from './states.ts'

/** A change of an order's status, or a note. */
export const OrderStepView = Shape({
  from_status: Nullable(Type.Enum([...ORDER_STATUSES])),
  to_status: Type.Enum([...ORDER_STATUSES]),
  actor: Type.String({
    description: '`customer:…`, `staff:…`, `api_token:…`, `guest`, `system` or `gateway`',
  }),
  note: Type.String(),
  created_at: Timestamp,
})

export const viewOrderStep = (step: OrderStep): Static<typeof OrderStepView> => ({
  from_status: step.fromStatus,
  to_status: step.toStatus,
  actor: step.actor,
  note: toText(step.note),
  created_at: toTimestamp(step.createdAt),
})
