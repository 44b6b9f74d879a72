import { startGateway } from './gateway.ts'

/** Runs the gateway as a process, configured by its environment. */
async function main() {
  const {
    GATEWAY_PORT,
    GATEWAY_SECRET_KEY,
    GATEWAY_WEBHOOK_URL,
    GATEWAY_WEBHOOK_SECRET,
    GATEWAY_STATE_FILE,
  } = process.env
  const gateway = await startGateway({
    port: Number(GATEWAY_PORT ?? 0),
    ...(GATEWAY_SECRET_KEY ? { secretKey: GATEWAY_SECRET_KEY } : {}),
    ...(GATEWAY_WEBHOOK_URL ? { webhookUrls: GATEWAY_WEBHOOK_URL.split(',') } : {}),
    ...(GATEWAY_WEBHOOK_SECRET ? { webhookSecret: GATEWAY_WEBHOOK_SECRET } : {}),
    ...(GATEWAY_STATE_FILE ? { stateFile: GATEWAY_STATE_FILE } : {}),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gateway.stop())
  console.log(`payment gateway: ${gateway.url}`)
}

if (import.meta.main) await main()
