import { Type } from 'typebox'
import { Line, Shape } from '#shared/platform/http/schema.ts'

export const AddOrderNoteRequest = Shape({
  body: Line(5_000),
  is_customer_visible: Type.Optional(Type.Boolean({ description: 'Default: false' })),
  notify: Type.Optional(Type.Boolean({ description: 'Mail it to the buyer. Default: false' })),
})
