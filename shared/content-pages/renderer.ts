/**
 * Names what makes the HTML of pages: the libraries and the rules of `to-safe-html.ts`. Change the number with the
 * rules. Pages that another renderer made are rendered again by `rerender-pages`, so a security fix reaches stored
 * HTML.
 */
export const RENDERER = 'markdown-it 15.0.3, sanitize-html 2.18.1, rules 1'
