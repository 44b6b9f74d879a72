import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import { PageQuery, UuidOrNullText } from '#shared/platform/http/query-parameters.ts'
import {
  Changes,
  Clearable,
  Line,
  Nullable,
  PositiveAmount,
  Shape,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { RETURNS } from '#shared/returns/list-returns.ts'
import { DISPOSITIONS, RETURN_ACTIONS, RETURN_CONDITIONS, RETURN_REASONS } from '#shared/returns/states.ts'

export const ReturnParams = Shape({ return_id: Uuid })

export const OrderContextParams = Shape({ order_id: Uuid })

export const OrderContextQuery = Shape({
  exclude_return_id: Type.Optional(
    UuidOrNullText('The return that is being edited; its units do not count as returned'),
  ),
})

const Quantity = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const Condition = Type.Enum([...RETURN_CONDITIONS])
const Text = (maxLength: number) => Clearable({ ...Line(maxLength), description: 'The buyer reads it' })

export const ReturnItemRequest = Shape({
  order_item_id: Uuid,
  quantity: Quantity,
  reason: Type.Enum([...RETURN_REASONS]),
  condition: Type.Optional(Nullable(Condition)),
  note: Type.Optional(Text(1_000)),
})

const Items = Type.Array(ReturnItemRequest, {
  minItems: 1,
  maxItems: 500,
  description: 'Units of lines of the order; each line once',
})

const requested = { order_id: Uuid, comment: Type.Optional(Text(2_000)), items: Items }

export const CreateReturnRequest = Shape({
  ...requested,
  action: Type.Enum([...RETURN_ACTIONS], { default: 'refund' }),
  metadata: Type.Optional(MetadataChange),
})

export const CreateOwnReturnRequest = Shape({
  ...requested,
  action: Type.Enum(['refund', 'credit', 'replacement'], {
    default: 'refund',
    description: 'The wish of the customer; staff can change it',
  }),
})

export const UpdateReturnRequest = Changes({
  comment: Text(2_000),
  action: Type.Enum([...RETURN_ACTIONS]),
  items: Items,
  metadata: MetadataChange,
})

export const DecideReturnRequest = Shape({
  message: Type.Optional(Type.String({ ...Line(2_000), description: 'For the buyer, in their mail' })),
})

export const ReceiveReturnRequest = Shape({
  items: Type.Array(
    Shape({
      id: Uuid,
      quantity: Type.Optional(Type.Integer({ ...Quantity, description: 'Default: all units of the item' })),
      disposition: Type.Enum([...DISPOSITIONS]),
      condition: Type.Optional(Condition),
    }),
    {
      minItems: 1,
      maxItems: 1_000,
      description:
        'Every unit of every item, in one or more entries; units that did not arrive are `missing`',
    },
  ),
})

export const RefundReturnRequest = Shape({
  shipping_amount: Type.Optional(PositiveAmount('For shipping, in addition to the units')),
  fee_amount: Type.Optional(PositiveAmount('Deducted from the paid price of the units')),
  reason: Type.Optional({ ...Line(500), description: 'The buyer reads it in the mail about the refund' }),
})

export const OwnReturnsQuery = Shape({
  ...PageQuery,
  sort: Type.Enum(RETURNS.sortNames, { default: RETURNS.order }),
  status: RETURNS.filters.status,
  order_id: RETURNS.filters.order_id,
})

export const ReturnsQuery = listQuery(RETURNS)
