import { readEventCursor, saveEventCursor } from '#shared/payments/gateway-events/event-cursor.ts'
import { NOTIFICATION_TYPES, receiveEvent } from '#shared/payments/gateway-events/notification.ts'
import { readGatewayEvents as job } from '#shared/payments/jobs.ts'
import { HOUR_MS, inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'
import { handle } from '#workers/platform/handle.ts'

const PROVIDER = 'stripe'

/** An event can appear in the list some time after the moment of its creation. */
const OVERLAP_MS = 5 * MINUTE_MS

/** The first run reads the events of this time. */
const FIRST_RUN_MS = 24 * HOUR_MS

/**
 * Reads the gateway's list of events, so that one whose webhook was lost or refused is applied within minutes. Those
 * that were received before change nothing.
 */
export const readGatewayEvents = handle(job, async () => {
  const startedAt = now()
  const readUntil = await readEventCursor(PROVIDER)
  const since = readUntil ? new Date(readUntil.getTime() - OVERLAP_MS) : inMs(-FIRST_RUN_MS)
  for await (const event of stripeGateway().listEvents({ since, types: NOTIFICATION_TYPES }))
    await receiveEvent({ provider: PROVIDER, ...event })
  await saveEventCursor(PROVIDER, startedAt)
})
