import { Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'

export const EventLogQuery = Shape({
  after: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'The sequence of the last known event',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
})
