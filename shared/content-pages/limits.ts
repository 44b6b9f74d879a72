/** Characters of Markdown in one language. Long terms of business have about 60,000. */
export const MAX_BODY = 100_000

/** Characters of HTML in one language. A few characters of Markdown can yield many, for example in a table. */
export const MAX_HTML = 1_000_000

/** Rendering of all languages of a page. The slowest prose of the maximal size takes a tenth of it. */
export const RENDER_TIMEOUT_MS = 3_000
