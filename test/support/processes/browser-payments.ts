import Stripe from 'stripe'
import { resetConfig } from '#shared/platform/config/config.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { sendEvent } from '#test/support/processes/notify.ts'

const { hostname, port } = new URL(gateway.url)
const stripe = new Stripe(gateway.secretKey, { host: hostname, port: Number(port), protocol: 'http' })
const delivered = new Set<string>()

/** Lets the built-in pages take cards with the sandbox's library, or with `null` not at all. */
export function configureCards(publishableKey: string | null = 'pk_test_browser'): void {
  if (publishableKey) process.env.STRIPE_PUBLISHABLE_KEY = publishableKey
  else delete process.env.STRIPE_PUBLISHABLE_KEY
  process.env.STRIPE_JS_URL = `${gateway.url}/_sandbox/stripe.js`
  resetConfig()
}

/** Awaits what depends on the gateway and a worker: delivers the gateway's events and runs jobs until it settles. */
export async function withGateway<T>(waiting: Promise<T>): Promise<T> {
  let isOver = false
  const ended = waiting.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await deliverEvents()
    await drainJobs()
  }
  return ended
}

/** Sends the events that the webhook has not received yet. */
async function deliverEvents(): Promise<void> {
  const events = await Array.fromAsync(stripe.events.list({ limit: 100 }))
  for (const { id, type, data } of events.reverse()) {
    if (delivered.has(id)) continue
    delivered.add(id)
    await sendEvent(type, data.object, { id })
  }
}
