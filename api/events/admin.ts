import '#shared/all-events.ts'
import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { EventTypeView, EventView, viewEvent } from '#shared/platform/events/event-view.ts'
import { eventKinds } from '#shared/platform/events/events.ts'
import { listEvents } from '#shared/platform/events/list-events.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { readableEventTypes } from '#shared/webhooks/readable-events.ts'

const EventLogQuery = Shape({
  after: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'The sequence of the last known event',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
})

export const listEventLog = endpoint({
  method: 'get',
  path: '/admin/events',
  access: staff('system:read'),
  audit: { action: 'getAdminEvents', resource: 'events' },
  summary: 'List the events of the store, oldest first',
  description:
    'To catch up, repeat the request with `after` set to the last `sequence` you know until the list is empty. The ' +
    'sequence has no gaps, but for the events of areas that the caller may not read, e.g. without `sales:read`.',
  query: EventLogQuery,
  returns: [200, Type.Array(EventView)],
  example: {
    data: [
      {
        id: '0199d1f2-0000-7c3a-9a51-2f6f0c7d9e10',
        type: 'webhook.test',
        timestamp: '2026-10-10T08:00:00.000Z',
        api_version: 'v1',
        store_id: '0199d1f0-0000-7c3a-9a51-2f6f0c7d9e10',
        sequence: 1,
        data: {
          webhook_id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e10',
          message: 'This is a test of your webhook.',
        },
      },
    ],
  },
  async handle({ tx, staff, query }) {
    const types = readableEventTypes(staff)
    const events = await listEvents(tx, { types, after: BigInt(query.after), limit: query.limit })
    return events.map((event) => viewEvent(tx.storeId, event))
  },
})

export const listEventTypes = endpoint({
  method: 'get',
  path: '/admin/event-types',
  access: staff('system:read'),
  summary: 'List the event types with the schema of their data',
  returns: [200, Type.Array(EventTypeView)],
  example: {
    data: [
      {
        type: 'webhook.test',
        area: 'system',
        summary: 'A test of a webhook was requested',
        data: { type: 'object' },
      },
    ],
  },
  async handle() {
    return [...eventKinds().values()].sort((a, b) => a.type.localeCompare(b.type))
  },
})
