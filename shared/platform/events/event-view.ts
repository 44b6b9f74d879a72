import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { PublishedEvent } from './event-log.ts'

/** The version of the events' shape. Every message contains it. */
export const API_VERSION = 'v1'

/** A type of event that webhooks can subscribe to. */
export const EventTypeView = Shape({
  type: Type.String(),
  area: Type.String({ description: 'The events need the right to read this area' }),
  summary: Type.String(),
  data: Type.Unknown({ description: "JSON Schema of the event's `data`" }),
})

/** An event as webhooks send it and as the log lists it. */
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

/** SQL: the `EventView` of the event `e`. Its text is the same at every attempt to send it. */
export const EVENT_JSON = `json_build_object('id', e.id, 'type', e.type,
  'timestamp', to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'api_version', '${API_VERSION}', 'store_id', e.store_id, 'sequence', e.sequence, 'data', e.data)`

/** SQL: joins a row with an `event_id` to its event `e` if that is published. */
export const joinPublishedEventSql = (row: string): string =>
  `join events e on e.store_id = ${row}.store_id and e.id = ${row}.event_id and e.sequence is not null`

/** SQL: whether the event of a row with an `event_id` is published. */
export const hasPublishedEventSql = (row: string): string => `exists (
  select from events e where e.store_id = ${row}.store_id and e.id = ${row}.event_id and e.sequence is not null)`
