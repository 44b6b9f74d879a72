// Builds texts that a regular expression may read slowly: long runs of what one of its unbounded repetitions matches,
// after what leads to the repetition and before what cannot follow it.

/** A part of a regular expression. `one` is a single character, with the characters that match it. */
type Part =
  | { kind: 'one'; matches: string[] }
  | { kind: 'sequence'; parts: Part[] }
  | { kind: 'choice'; parts: Part[] }
  | { kind: 'repeat'; body: Part; min: number; max: number }

/** The characters that stand for all others in the attacks. */
const ALPHABET = [
  ...Array.from({ length: 95 }, (_, code) => String.fromCharCode(code + 32)),
  ...['\t', '\n', '\r', '\0', '\u0300', '\u2003', 'é', 'ß', '＝', '\u202a'],
]

const QUANTIFIER = /[*+?]\??|\{(\d+)(,(\d*))?\}\??/y
const ATOM =
  /\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Z]|\\k<\w+>|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/y
const GROUP = /\((?:\?(?::|[=!]|<[=!]|<\w+>))?/y

/** Parses the source of a regular expression. What matches no character itself, such as `^` and `\b`, is left out. */
class Parser {
  #at = 0
  readonly #source: string
  readonly #flags: string

  constructor({ source, flags }: RegExp) {
    this.#source = source
    this.#flags = flags.replace(/[gy]/g, '')
  }

  parse(): Part {
    return this.#choice()
  }

  #choice(): Part {
    const parts = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at += 1
      parts.push(this.#sequence())
    }
    return { kind: 'choice', parts }
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      const atom = this.#atom()
      const [text, min = '', range, max = ''] = this.#read(QUANTIFIER) ?? []
      if (!text) parts.push(atom)
      else if (min) parts.push({ ...repeat(atom), min: Number(min), max: maximum(min, range, max) })
      else parts.push({ ...repeat(atom), ...(text.startsWith('?') ? { max: 1 } : {}) })
    }
    return { kind: 'sequence', parts }
  }

  #atom(): Part {
    const group = this.#read(GROUP)
    if (group) {
      const inner = this.#choice()
      this.#at += 1
      return group[0].endsWith('!') ? { kind: 'sequence', parts: [] } : inner
    }
    const [text] = this.#read(ATOM) as RegExpExecArray
    if (['^', '$', '\\b', '\\B'].includes(text) || /^\\(k|[1-9])/.test(text))
      return { kind: 'sequence', parts: [] }
    const one = new RegExp(`^(?:${text})$`, this.#flags)
    return { kind: 'one', matches: ALPHABET.filter((char) => one.test(char)) }
  }

  #read(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found) this.#at = pattern.lastIndex
    return found
  }
}

const repeat = (body: Part) => ({ kind: 'repeat', body, min: 0, max: Number.POSITIVE_INFINITY }) as const

function maximum(min: string, range: string | undefined, max: string): number {
  if (range === undefined) return Number(min)
  return max === '' ? Number.POSITIVE_INFINITY : Number(max)
}

/** Returns a text that matches a part, as short as possible; `pick` chooses among characters and alternatives. */
function sample(part: Part, pick = 0): string {
  switch (part.kind) {
    case 'one':
      return part.matches[pick % Math.max(1, part.matches.length)] ?? ''
    case 'sequence':
      return part.parts.map((inner) => sample(inner, pick)).join('')
    case 'choice':
      return sample(part.parts[pick % part.parts.length] as Part, pick)
    case 'repeat':
      return sample(part.body, pick).repeat(Math.min(Math.max(part.min, 1), part.max))
  }
}

interface Place {
  body: Part
  before: string
  after: string
}

/** Finds each repetition without a low limit, with a text that leads to it and one that may follow it. */
function placesOf(part: Part, before: string, after: string): Place[] {
  switch (part.kind) {
    case 'one':
      return []
    case 'choice':
      return part.parts.flatMap((inner) => placesOf(inner, before, after))
    case 'repeat':
      return [
        ...(part.max > MOST_TIMES ? [{ body: part.body, before, after }] : []),
        ...placesOf(part.body, before, after),
      ]
    case 'sequence':
      return part.parts.flatMap((inner, at) =>
        placesOf(
          inner,
          before +
            part.parts
              .slice(0, at)
              .map((one) => sample(one))
              .join(''),
          part.parts
            .slice(at + 1)
            .map((one) => sample(one))
            .join('') + after,
        ),
      )
  }
}

const MOST_TIMES = 50

/** The characters that an attack repeats: one of each kind, and those that the expression names itself. */
function pumpsOf(body: Part, source: string): string[] {
  if (body.kind !== 'one') return Array.from({ length: 6 }, (_, pick) => sample(body, pick))
  const ofKind = Map.groupBy(body.matches, (char) =>
    /[a-z]/.test(char) ? 'a' : /[A-Z]/.test(char) ? 'A' : /\d/.test(char) ? '0' : /\s/.test(char) ? ' ' : '.',
  )
  const named = body.matches.filter((char) => !/[a-zA-Z0-9]/.test(char) && source.includes(char))
  return [...[...ofKind.values()].map(([first]) => first as string), ...named]
}

/** Returns functions that build hostile texts of about a length for a regular expression. */
export function attacksOn(pattern: RegExp): ((length: number) => string)[] {
  const places = placesOf(new Parser(pattern).parse(), '', '')
  const attacks = new Map<string, (length: number) => string>()
  for (const { body, before, after } of places)
    for (const pump of new Set(pumpsOf(body, pattern.source)))
      for (const [start, part] of [
        [before, pump],
        ['', pump],
        ['', before + pump],
        ['', pump + after],
      ] as const)
        for (const end of ['', '\0', `${after}\0`, 'x'])
          if (part)
            attacks.set(
              JSON.stringify([start, part, end]),
              (length) => start + part.repeat(Math.ceil(length / part.length)) + end,
            )
  return [...attacks.values()]
}
