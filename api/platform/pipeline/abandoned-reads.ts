import type { Context, Next } from 'koa'
import { addressesOf } from '#api/platform/auth/request-addresses.ts'
import { ClientGone, runForClient, runForNetwork, WaitingClient } from '#shared/platform/db/waiting-client.ts'

/** The logged status of a request whose client has left, as nginx logs it. No client gets it. */
export const CLIENT_GONE_STATUS = 499
const READS = new Set(['GET', 'HEAD'])

/**
 * Middleware: ends the statements of a read whose client closes the connection, or that returns too much. It does not
 * end changes.
 */
export async function endAbandonedReads(ctx: Context, next: Next): Promise<void> {
  const { network } = addressesOf(ctx.req)
  if (!READS.has(ctx.method)) return runForNetwork(network, next)
  const client = new WaitingClient()
  client.network = network
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) client.disconnect()
  })
  try {
    await runForClient(client, next)
  } catch (error) {
    if (client.refusal) throw client.refusal
    if (!(error instanceof ClientGone)) throw error
    ctx.status = CLIENT_GONE_STATUS
  } finally {
    client.end()
  }
}
