import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, namedStatement } from '#shared/platform/db/statement.ts'
import { EVENT_JSON } from './event-view.ts'

const READ_EVENT_BODY = namedStatement(
  'read_event_body',
  { id: 'uuid' },
  ({ id }) => `select ${EVENT_JSON} from events e where e.store_id = ${CURRENT_STORE} and e.id = ${id}`,
)

/** Returns an event as webhooks send it, as JSON. */
export async function readEventBody(storeId: string, eventId: string): Promise<string> {
  const [row] = await readInStore(storeId, READ_EVENT_BODY, READ_EVENT_BODY.values({ id: eventId }))
  if (!row?.[0]) throw new Error(`There is no event ${eventId}`)
  return row[0]
}
