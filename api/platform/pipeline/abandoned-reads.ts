import type { Context, Next } from 'koa'
import { Caller, ClientGone, runForCaller } from '#shared/platform/db/caller.ts'

/** Other servers log this status too. No client gets it. */
const CLIENT_GONE = 499
const READS = new Set(['GET', 'HEAD'])

/**
 * Middleware: ends the statements of a read whose client closes the connection, or that returns too much. It does not
 * end changes.
 */
export async function endAbandonedReads(ctx: Context, next: Next): Promise<void> {
  if (!READS.has(ctx.method)) return next()
  const caller = new Caller()
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) caller.leave()
  })
  try {
    await runForCaller(caller, next)
  } catch (error) {
    if (caller.refusal) throw caller.refusal
    if (!(error instanceof ClientGone)) throw error
    ctx.status = CLIENT_GONE
  } finally {
    caller.end()
  }
}
