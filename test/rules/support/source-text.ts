// Reads TypeScript as text: enough to follow a chain of calls and to tell code from comments.

const CALL = /^\s*[!?]?\.\s*([\w$]+)\s*(?:<[^()]*?>)?(?=\()/
const PROPERTY = /^\s*[!?]?\.\s*[\w$]+/

/** The methods of the chain of calls that begins at `start`, the index of a bracket or a dot. */
export function methodsOfChain(text: string, start: number): string[] {
  const methods: string[] = []
  let at = text[start] === '(' ? skipBrackets(text, start) : start
  for (;;) {
    const rest = text.slice(at, at + 300)
    const call = CALL.exec(rest)
    const step = call ?? PROPERTY.exec(rest)
    if (!step) return methods
    at += step[0].length
    if (call?.[1]) {
      methods.push(call[1])
      at = skipBrackets(text, at)
    }
  }
}

/** The index after the bracket that closes the one at `start`. */
function skipBrackets(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const end = skipLiteral(text, at)
    if (end > at) at = end - 1
    else if ('([{'.includes(text[at] as string)) depth++
    else if (')]}'.includes(text[at] as string) && --depth === 0) return at + 1
  }
  return text.length
}

const REGEXP = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n[])+\//y

/** The index after the string, template or regular expression at `start`; `start` where there is none. */
function skipLiteral(text: string, start: number): number {
  const char = text[start] as string
  if (`'"\``.includes(char)) return skipString(text, start)
  if (char !== '/' || !/(?:[(=,:[!&|?{};>]|\breturn)\s*$/.test(text.slice(Math.max(0, start - 20), start)))
    return start
  REGEXP.lastIndex = start
  return REGEXP.test(text) ? REGEXP.lastIndex : start
}

function skipString(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (quote === '`' && text.startsWith('${', at)) at = skipBrackets(text, at + 1) - 1
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

/** The text with its comments blanked; lines and columns stay as they are. */
export function blankComments(text: string): string {
  const parts: string[] = []
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const end = skipLiteral(text, at)
    if (end > at) at = end - 1
    else if (text[at] === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      const close = text[at + 1] === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at) + 2
      const stop = close < at ? text.length : close
      parts.push(text.slice(copied, at), text.slice(at, stop).replace(/[^\n]/g, ' '))
      copied = stop
      at = stop - 1
    }
  }
  return parts.join('') + text.slice(copied)
}

/** The regular expressions of code without comments, but for those in templates. */
export function regexpsOf(text: string): RegExp[] {
  const found: RegExp[] = []
  for (let at = 0; at < text.length; at++) {
    const end = skipLiteral(text, at)
    if (end === at) continue
    const [flags = ''] = /^[a-z]*/.exec(text.slice(end, end + 8)) ?? []
    if (text[at] === '/') found.push(new RegExp(text.slice(at + 1, end - 1), flags))
    at = end - 1
  }
  return found
}

/** The string, template or regular expression around an index; '' in code. */
export function literalAround(text: string, index: number): string {
  for (let at = 0; at <= index; at++) {
    const end = skipLiteral(text, at)
    if (end > index) return text.slice(at, end)
    if (end > at) at = end - 1
  }
  return ''
}

export const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length
