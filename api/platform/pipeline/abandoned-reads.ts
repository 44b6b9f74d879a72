import type { Context, Next } from 'koa'
import { ClientGone, runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'

/** Other servers log this status too. No client gets it. */
const CLIENT_GONE = 499
const READS = new Set(['GET', 'HEAD'])

/**
 * Middleware: ends the statements of a read whose client closes the connection, or that returns too much. It does not
 * end changes.
 */
export async function endAbandonedReads(ctx: Context, next: Next): Promise<void> {
  if (!READS.has(ctx.method)) return next()
  const client = new WaitingClient()
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) client.disconnect()
  })
  try {
    await runForClient(client, next)
  } catch (error) {
    if (client.refusal) throw client.refusal
    if (!(error instanceof ClientGone)) throw error
    ctx.status = CLIENT_GONE
  } finally {
    client.end()
  }
}
