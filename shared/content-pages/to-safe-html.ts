import markdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

// This file runs in a thread of its own: see `render-bodies.ts`. After a change of its rules, change `RENDERER`.

/** CommonMark with tables and strikethrough. HTML in Markdown passes, and the sanitizer decides. */
const markdown = markdownIt({ html: true, linkify: true })

const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'address', 'div', 'span'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'figure', 'figcaption', 'details', 'summary'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'strong', 'b', 'em', 'i', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark'],
  ...['abbr', 'code', 'kbd', 'samp', 'q', 'cite', 'time'],
]

/**
 * Elements that are removed with their content. Browsers read the content of most of them by other rules than the
 * sanitizer does, so text in them could become markup.
 */
const TAGS_WITH_CONTENT = [
  ...['script', 'style', 'textarea', 'option', 'select', 'title', 'template', 'xmp', 'plaintext', 'listing'],
  ...['noscript', 'noembed', 'noframes', 'iframe', 'frameset', 'object', 'embed', 'applet', 'svg', 'math'],
]

const ALIGNMENT = /^text-align: ?(left|center|right)$/

/** A column's alignment, which Markdown yields as a style, as an attribute: styles are not allowed. */
const alignCell: sanitizeHtml.Transformer = (tagName, { style, ...attribs }) => {
  const [, align] = ALIGNMENT.exec(style ?? '') ?? []
  return { tagName, attribs: align ? { ...attribs, align } : attribs }
}

// Without ids and names: a page could otherwise replace variables of the shop's own scripts (DOM clobbering).
const RULES: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  nonTextTags: TAGS_WITH_CONTENT,
  disallowedTagsMode: 'discard',
  nestingLimit: 50,
  allowedAttributes: {
    '*': ['lang', 'dir', 'title'],
    a: ['href'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start'],
    th: ['align', 'colspan', 'rowspan', 'scope'],
    td: ['align', 'colspan', 'rowspan'],
    time: ['datetime'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: { th: alignCell, td: alignCell },
}

/** The HTML of a Markdown text. It carries no script, style, form, frame or event handler, and no id. */
export const toSafeHtml = (text: string): string => sanitizeHtml(toHtml(text), RULES)

/** The HTML as the Markdown says it. Never send it: it may carry scripts. */
export const toHtml = (text: string): string => markdown.render(text)
