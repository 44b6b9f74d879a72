import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSources } from '#test/rules/support/sources.ts'

const MAX_LINES = 10

const HEAD = /^(\s+)(?:async )?handle(?:\(|: )/

const indentOf = (line: string): number => line.length - line.trimStart().length

/** The lines of each handler's body, in sequence. The formatter indents a body deeper than its head and its end. */
function linesOfHandlers(text: string): number[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => (HEAD.test(line) ? [linesBelow(lines.slice(at))] : []))
}

function linesBelow([head = '', ...rest]: string[]): number {
  const isEnd = (line: string) => line !== '' && indentOf(line) <= indentOf(head)
  const end = rest.findIndex(isEnd)
  // The parameters end in the head's indentation too, with the beginning of the body behind them.
  return /^\s*\}\) (?:=>|\{|=> \{)$/.test(rest[end] ?? '') ? linesBelow(rest.slice(end)) : end
}

test('control: the rule counts the lines of handlers', () => {
  const code = `export const createTheme = endpoint({
  async handle({ tx, body }) {
    const theme = await create(tx, body)

    return viewTheme(theme)
  },
})
export const readTheme = themes.read({
  handle: ({ tx, params }) => find(tx, params.theme_id),
})
export const listThemes = themes.list({
  handle: ({
    tx,
    query,
  }) =>
    list(
      tx,
      query,
    ),
})
`
  assert.deepEqual(linesOfHandlers(code), [3, 0, 4])
})

test(`a handler has at most ${MAX_LINES} lines`, async () => {
  const handlers = (await readSources('api')).flatMap(({ path, text }) =>
    linesOfHandlers(text).map((lines) => ({ path, lines })),
  )
  const long = handlers.filter(({ lines }) => lines > MAX_LINES)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
  assert.ok(handlers.length > 300, 'the rule finds the handlers')
})
