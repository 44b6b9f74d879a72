import type { Context } from 'koa'
import { type Page, type Paged, type PageMeta, pageMeta } from '#shared/platform/db/list-query.ts'
import { currentClient } from '#shared/platform/db/waiting-client.ts'
import type { RenderedResponse } from '#shared/platform/idempotency/idempotency-key.ts'
import { pauseInTurns } from '#shared/platform/time/pause-in-turns.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { toJsonInTurns } from './json-in-turns.ts'

/** The `meta` of a list. */
interface ListMeta extends PageMeta {
  /** The requested facets of a product list. */
  facets?: object
}

interface ReplyParts {
  status?: number
  meta?: ListMeta | null
  headers?: Record<string, string>
  /** The time at which a cached response expires without a write; null if only a write ends it. */
  validUntil?: Date | null
}

/** A response to send, and the time at which it expires without a write. */
export interface SentResponse extends RenderedResponse {
  validUntil?: Date
}

/** A response with its own status, meta or headers. A handler that needs none of these returns only the data. */
export class Reply {
  readonly data: unknown
  readonly parts: ReplyParts

  constructor(data: unknown, parts: ReplyParts = {}) {
    this.data = data
    this.parts = parts
  }
}

/** Data that PostgreSQL has written as JSON text. It is sent without parsing. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Returns a response with a status and headers. */
export const reply = (status: number, data: unknown, headers: Record<string, string> = {}): Reply =>
  new Reply(data, { status, headers })

/** Returns one page of a list with its PaginationMeta. During a long page, the process does other work in between. */
export async function page<Row>(
  { results, total }: Page<Row>,
  query: Paged,
  view: (row: Row) => unknown = (row) => row,
): Promise<Reply> {
  const data: unknown[] = []
  // The views of a hundred products with all their price rules take some 40 ms.
  const pause = pauseInTurns(() => takeTurn(currentClient()?.storeId))
  for (const row of results) {
    data.push(view(row))
    await pause()
  }
  return new Reply(data, { meta: pageMeta(total, query) })
}

/** Returns the JSON envelope of a successful response. */
export async function envelope(data: unknown, meta: ListMeta | null = null): Promise<string> {
  const json = data instanceof JsonText ? data.text : await toJsonInTurns(data)
  return `{"data":${json},"meta":${JSON.stringify(meta)},"error":null,"error_code":null}`
}

/**
 * Sends JSON as text or UTF-8 bytes. A response without Cache-Control gets `no-store`, because caches do not vary by
 * X-Cart-Token, and store a 404 by default (RFC 9110, section 15.1).
 */
export function send(ctx: Context, status: number, json: string | Buffer): void {
  ctx.status = status
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = json
}

/** Returns the `data` of a handler's outcome. */
export function dataOf(outcome: unknown): unknown {
  const data = outcome instanceof Reply ? outcome.data : outcome
  return data instanceof JsonText ? JSON.parse(data.text) : data
}
