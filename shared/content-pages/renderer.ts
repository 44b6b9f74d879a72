/**
 * The version of the renderer: the libraries, and the rules of `to-safe-html.ts`. Change the number of the rules with
 * them. `rerender-pages` renders pages of other versions again, so that a security fix reaches stored HTML.
 */
export const RENDERER = 'markdown-it 15.0.3, sanitize-html 2.18.1, rules 1'
