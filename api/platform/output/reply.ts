import type { Context } from 'koa'
import type { Page, Paged } from '#shared/platform/db/list-query.ts'

export interface PageMeta {
  page: number
  page_size: number
  total: number
  total_pages: number
  /** What a list of products can be narrowed by, when it was asked for. */
  facets?: object
}

interface ReplyParts {
  status?: number
  meta?: PageMeta | null
  headers?: Record<string, string>
}

/** An answer that is more than its data. A handler may return the bare data instead: 200-level, no meta. */
export class Reply {
  readonly data: unknown
  readonly parts: ReplyParts

  constructor(data: unknown, parts: ReplyParts = {}) {
    this.data = data
    this.parts = parts
  }
}

/** Data that PostgreSQL has already made into JSON text: it is passed on as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export const reply = (status: number, data: unknown, headers: Record<string, string> = {}): Reply =>
  new Reply(data, { status, headers })

/** One page of a list, each row as its view, with its PaginationMeta (interface document, section 1). */
export function page<Row>(
  { results, total }: Page<Row>,
  query: Paged,
  view: (row: Row) => unknown = (row) => row,
): Reply {
  return new Reply(
    results.map((row) => view(row)),
    { meta: pageMeta(total, query) },
  )
}

export const pageMeta = (total: number, query: Paged): PageMeta => ({
  page: query.page,
  page_size: query.page_size,
  total,
  total_pages: Math.ceil(total / query.page_size),
})

/** The envelope of every successful JSON answer, as text. */
export function envelope(data: unknown, meta: PageMeta | null = null): string {
  const json = data instanceof JsonText ? data.text : JSON.stringify(data ?? null)
  return `{"data":${json},"meta":${JSON.stringify(meta)},"error":null,"error_code":null}`
}

/**
 * Writes a JSON text, or its bytes in UTF-8, as the response. What nobody said may be kept is for its caller alone: a
 * cart goes by a header that no cache looks at, and a 404 is kept by default (RFC 9110, section 15.1).
 */
export function send(ctx: Context, status: number, json: string | Buffer): void {
  ctx.status = status
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = json
}
