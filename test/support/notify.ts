import Stripe from 'stripe'
import './gateway.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type Answered, baseUrl } from './app.ts'
import { gateway } from './gateway.ts'
import { drainJobs } from './jobs.ts'

let count = 0

interface Told {
  id?: string
  /** Seconds since 1970; now unless told otherwise. */
  timestamp?: number
  secret?: string
  /** Signed and sent in place of an event. */
  body?: string
  /** Sent in place of what was signed. */
  tampered?: string
}

/** The body and signature of an event, as Stripe would send it. */
export function signed(type: string, object: object, told: Told = {}): { body: string; signature: string } {
  const id = told.id ?? `evt_${++count}`
  const body = told.body ?? JSON.stringify({ id, object: 'event', type, data: { object } }, null, 2)
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: told.secret ?? gateway.webhookSecret,
    timestamp: told.timestamp ?? Math.floor(now().getTime() / 1000),
  })
  return { body: told.tampered ?? body, signature }
}

/** Sends the service an event, without doing what follows from it. */
export async function tell(
  type: string,
  object: object,
  told: Told = {},
): Promise<Pick<Answered, 'status' | 'error_code'>> {
  const { body, signature } = signed(type, object, told)
  const response = await fetch(`${baseUrl}/api/v1/payments/stripe/webhook`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
  })
  const { error_code } = (await response.json()) as { error_code: string | null }
  return { status: response.status, error_code }
}

/** Sends the service an event, and does all that follows. */
export async function notify(type: string, object: object, told: Told = {}): Promise<void> {
  const { status } = await tell(type, object, told)
  if (status !== 200) throw new Error(`The notification was answered ${status}`)
  await drainJobs()
}
