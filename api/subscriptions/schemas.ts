import { Type } from 'typebox'
import { AddressRequest } from '#api/customers/schemas.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { MAX_UNITS } from '#shared/cart/limits.ts'
import { PageQuery } from '#shared/platform/http/query-parameters.ts'
import { Name, Shape, Telephone, Uuid } from '#shared/platform/http/schema.ts'
import { SUBSCRIPTIONS } from '#shared/subscriptions/list-subscriptions.ts'

export const SubscriptionParams = Shape({ subscription_id: Uuid })

export const OwnSubscriptionsQuery = Shape({
  ...PageQuery,
  sort: Type.Enum(SUBSCRIPTIONS.sortNames, { default: SUBSCRIPTIONS.order }),
  status: SUBSCRIPTIONS.filters.status,
})

export const SubscriptionsQuery = listQuery(SUBSCRIPTIONS)

export const CancelQuery = Shape({
  at: Type.Optional(
    Type.Enum(['now', 'period_end'], {
      default: 'now',
      description:
        '`period_end`: at the end of the paid period, without another charge. A subscription with an open charge ' +
        'ends immediately',
    }),
  ),
})

export const UpdateSubscriptionRequest = Shape({
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_UNITS })),
  firstname: Type.Optional(Name(100)),
  lastname: Type.Optional(Name(100)),
  telephone: Type.Optional(Telephone),
  shipping_address: Type.Optional(AddressRequest),
  billing_address: Type.Optional(AddressRequest),
  shipping_method_id: Type.Optional(Uuid),
  recurring_plan_id: Type.Optional({
    ...Uuid,
    description: 'Another plan of the product, without its trial; the next charge keeps its date',
  }),
})
