import { Counter } from 'prom-client'
import { DELIVERY_STATUSES } from '#shared/webhooks/deliveries/states.ts'

/** The outcomes of delivery attempts. `pending`: the attempt failed and is retried. */
export const deliveryAttempts = new Counter({
  name: 'webhook_deliveries_total',
  help:
    'Attempts of this process to deliver a webhook, by the status that they left: succeeded, pending (failed, tried ' +
    'again later), failed, exhausted',
  labelNames: ['status'],
})
for (const status of DELIVERY_STATUSES) deliveryAttempts.inc({ status }, 0)
