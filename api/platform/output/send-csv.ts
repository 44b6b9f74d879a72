import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { config } from '#shared/platform/config/config.ts'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { log } from '#shared/platform/log.ts'
import { HOUR_MS, now, SECOND_MS } from '#shared/platform/time/clock.ts'
import { holdDownload } from './download-share.ts'

/** The API description of lists that are also CSV files. */
export const AS_CSV =
  'With `Accept: text/csv`, the response is a CSV file of everything that matches, in the order of creation; `page`, ' +
  '`page_size` and `sort` have no effect.'

// Browsers send a fifth of this. The parser counts all quotes of a text again at each comma in it. A header of 16 KB
// would block the process for half a second.
const MAX_ACCEPT_LENGTH = 1_000

/** Whether the Accept header prefers `text/csv` to JSON. A header that is too long is ignored. */
export const wantsCsv = (ctx: Context): boolean =>
  ctx.get('Accept').length <= MAX_ACCEPT_LENGTH && ctx.accepts('application/json', 'text/csv') === 'text/csv'

/** A client that reads slowly keeps its connection for at most this time. */
const MAX_DOWNLOAD_MS = HOUR_MS
/** A caller who loses access gets rows for at most this time. */
const ACCESS_MS = 5 * SECOND_MS

interface Reader {
  principal: string
  /** Authenticates the caller again. Throws the refusal. */
  reauthenticate: () => Promise<unknown>
}

/**
 * Sends a CSV file while it is written. If a row cannot be read, the caller loses access, or the client reads nothing
 * for `DOWNLOAD_STALL_MS`, the connection closes without the end of the response, so that clients notice the missing
 * part. Throws 429 `rate_limit.exceeded` if the caller has too many running downloads.
 */
export async function sendCsv(
  ctx: Context,
  file: CsvFile,
  { principal, reauthenticate }: Reader,
): Promise<void> {
  holdDownload(ctx, principal)
  ctx.status = 200
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present')
  ctx.set('Content-Disposition', `attachment; filename="${file.name}.csv"`)
  ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Total-Rows', String(file.totalRows))
  ctx.respond = false
  if (ctx.method === 'HEAD') return void ctx.res.end()
  // Node closes a connection that is inactive for this time. It resets the time after the response.
  ctx.req.socket.setTimeout(config().DOWNLOAD_STALL_MS)
  await stream(whileAuthenticated(file.text(), reauthenticate), ctx)
}

/** Ends the text when the caller loses access. */
async function* whileAuthenticated(
  text: AsyncGenerator<string>,
  reauthenticate: Reader['reauthenticate'],
): AsyncGenerator<string> {
  let checkedAt = now().getTime()
  for await (const piece of text) {
    if (now().getTime() - checkedAt >= ACCESS_MS) {
      await reauthenticate()
      checkedAt = now().getTime()
    }
    yield piece
  }
}

async function stream(text: AsyncGenerator<string>, { res, state }: Context): Promise<void> {
  const source = Readable.from(text, { highWaterMark: 1 })
  const deadline = setTimeout(() => res.destroy(), MAX_DOWNLOAD_MS)
  source.once('error', (error) => {
    const isRefused = error instanceof CodedError && error.status < 500
    log[isRefused ? 'info' : 'error']({ err: error, requestId: state.requestId }, 'download failed')
    res.destroy()
  })
  source.pipe(res)
  await new Promise((resolve) => res.once('close', resolve))
  clearTimeout(deadline)
  source.destroy()
}
