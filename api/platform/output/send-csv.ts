import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { log } from '#shared/platform/log.ts'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { holdDownload } from './download-share.ts'

/** The description of a list that is a CSV file too. */
export const AS_CSV =
  'With `Accept: text/csv` all that match are a CSV file, in the order of their creation, without regard to `page`, ' +
  '`page_size` and `sort`.'

/** A client that reads a little now and then keeps its connection for this long at most. */
const MAX_DOWNLOAD_MS = HOUR_MS

/**
 * Sends a CSV file while it is written. The connection closes without the end of the response when a row cannot be
 * read, so a part of a file is never taken for the whole, and when the client reads nothing for `DOWNLOAD_STALL_MS`.
 * Throws 429 `rate_limit.exceeded` when the caller has too many files under way.
 */
export async function sendCsv(ctx: Context, file: CsvFile, principal: string): Promise<void> {
  holdDownload(ctx, principal)
  ctx.status = 200
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present')
  ctx.set('Content-Disposition', `attachment; filename="${file.name}.csv"`)
  ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Total-Rows', String(file.totalRows))
  ctx.respond = false
  if (ctx.method === 'HEAD') return void ctx.res.end()
  // Node closes a connection without activity for this long. It resets the time after the response.
  ctx.req.socket.setTimeout(config().DOWNLOAD_STALL_MS)
  await stream(file.text(), ctx)
}

async function stream(text: AsyncGenerator<string>, { res, state }: Context): Promise<void> {
  const source = Readable.from(text, { highWaterMark: 1 })
  const deadline = setTimeout(() => res.destroy(), MAX_DOWNLOAD_MS)
  source.once('error', (error) => {
    log.error({ err: error, requestId: state.requestId }, 'download failed')
    res.destroy()
  })
  source.pipe(res)
  await new Promise((resolve) => res.once('close', resolve))
  clearTimeout(deadline)
  source.destroy()
}
