import { after } from 'node:test'
import '#test/support/database.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { type Gateway, startGateway } from '#test/sandbox/gateway/gateway.ts'

// Importing this file gives the test file a payment gateway of its own.
export const gateway: Gateway = await startGateway({
  secretKey: process.env.STRIPE_SECRET_KEY ?? '',
  webhookSecret: process.env.STRIPE_WEBHOOK_SECRET ?? '',
})
process.env.STRIPE_API_URL = gateway.url
// Modules without an await between them load in parallel: the configuration may have been read already.
resetConfig()
after(() => gateway.stop())
