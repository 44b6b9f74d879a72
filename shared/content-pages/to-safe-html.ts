import markdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

// This file runs in a separate process (see `render-bodies.ts`). If you change its rules, change `RENDERER` too.

/** CommonMark with tables and strikethrough. HTML in Markdown passes, and the sanitizer decides. */
const markdown = markdownIt({ html: true, linkify: true })

const TAGS = (
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre address div span ' +
  'ul ol li dl dt dd figure figcaption details summary ' +
  'table caption thead tbody tfoot tr th td ' +
  'a img strong b em i u s del ins sub sup small mark ' +
  'abbr code kbd samp q cite time'
).split(' ')

/**
 * Elements that are removed with their content. Browsers parse the content of most of them by other rules than the
 * sanitizer, so text in them could become markup.
 */
const TAGS_WITH_CONTENT = (
  'script style textarea option select title template xmp plaintext listing ' +
  'noscript noembed noframes iframe frameset object embed applet svg math'
).split(' ')

const ALIGNMENT = /^text-align: ?(left|center|right)$/

/** Converts the alignment of a column from a style to an attribute, because styles are not allowed. */
const alignCell: sanitizeHtml.Transformer = (tagName, { style, ...attribs }) => {
  const [, align] = ALIGNMENT.exec(style ?? '') ?? []
  return { tagName, attribs: align ? { ...attribs, align } : attribs }
}

// Allow no ids and names, with which a page could replace variables of the shop's own scripts (DOM clobbering).
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

/** Converts Markdown to HTML without scripts, styles, forms, frames, event handlers and ids. */
export const toSafeHtml = (text: string): string => sanitizeHtml(toHtml(text), RULES)

/** Converts Markdown to HTML. Never send the result, because it may contain scripts. */
export const toHtml = (text: string): string => markdown.render(text)
