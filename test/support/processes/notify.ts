import Stripe from 'stripe'
import '#test/support/processes/gateway.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type ApiResponse, baseUrl } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { readDescribed } from '#test/support/requests/described.ts'

let count = 0

interface EventOptions {
  id?: string
  /** Seconds since 1970; default: now. */
  timestamp?: number
  secret?: string
  /** Signed and sent instead of an event. */
  body?: string
  /** Sent instead of the signed body. */
  tampered?: string
}

/** The body and signature of a Stripe event. */
export function signEvent(
  type: string,
  object: object,
  options: EventOptions = {},
): { body: string; signature: string } {
  const id = options.id ?? `evt_${++count}`
  const body = options.body ?? JSON.stringify({ id, object: 'event', type, data: { object } }, null, 2)
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: options.secret ?? gateway.webhookSecret,
    timestamp: options.timestamp ?? Math.floor(now().getTime() / 1000),
  })
  return { body: options.tampered ?? body, signature }
}

/** Sends an event to the webhook, without running the jobs. */
export async function sendEvent(
  type: string,
  object: object,
  options: EventOptions = {},
): Promise<Pick<ApiResponse, 'status' | 'error_code'>> {
  const { body, signature } = signEvent(type, object, options)
  const response = await fetch(`${baseUrl}/api/v1/payments/stripe/webhook`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
  })
  const { error_code } = await readDescribed('POST', '/payments/stripe/webhook', response)
  return { status: response.status, error_code }
}

/** Sends an event to the webhook and runs the jobs. */
export async function notify(type: string, object: object, options: EventOptions = {}): Promise<void> {
  const { status } = await sendEvent(type, object, options)
  if (status !== 200) throw new Error(`The webhook returned ${status}`)
  await drainJobs()
}
