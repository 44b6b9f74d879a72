/** The most characters of Markdown in one language. Long terms of business have about 60,000. */
export const MAX_BODY = 100_000

/** The most characters of HTML in one language. Little Markdown can yield much HTML, e.g. in a table. */
export const MAX_HTML = 1_000_000

/** The most characters of HTML in all languages together, because the process of requests holds them at once. */
export const MAX_HTML_OF_PAGE = 2 * MAX_HTML

/** The time to render all languages of a page. The slowest prose of the maximum size takes a tenth of it. */
export const RENDER_TIMEOUT_MS = 3_000
