import { type Static, Type } from 'typebox'
import { Shape, Timestamp, toTimestamp, Uuid } from '../http/schema.ts'
import type { PublishedEvent } from './event-log.ts'

/** The version of the events' shape, in every message. */
export const API_VERSION = 'v1'

/** An event as webhooks send it and as the log lists it (decisions, section 8). */
export const EventView = Shape({
  id: Uuid,
  type: Type.String(),
  timestamp: Timestamp,
  api_version: Type.String(),
  store_id: Uuid,
  sequence: Type.Integer({ minimum: 1, description: 'From 1, without gaps, in the order of publication' }),
  data: Type.Unknown({ description: 'See GET /admin/event-types' }),
})

export const viewEvent = (storeId: string, event: PublishedEvent): Static<typeof EventView> => ({
  id: event.id,
  type: event.type,
  timestamp: toTimestamp(event.createdAt),
  api_version: API_VERSION,
  store_id: storeId,
  sequence: Number(event.sequence),
  data: event.data,
})
