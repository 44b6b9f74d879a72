import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readSources } from '#test/rules/support/sources.ts'

const MAX_LENGTH = 120
/** A line of a comment, in TypeScript or in SQL. The formatter bounds the lines of code. */
const COMMENT = /^\s*(\/\/|\/\*|\*|--)/
/** A document that this repository does not have; a comment can break such a citation over two lines. */
const UNAVAILABLE_DOCUMENT = /\b([Ii]nterface[\s*/]+document|[Dd]ecisions,[\s*/]+sections?)\b/

const FOLDERS = ['api', 'migrations', 'shared', 'test', 'workers']
const sources = (await Promise.all(FOLDERS.map(readSources))).flat()

test('no comment line has more than 120 characters', () => {
  const long = sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        COMMENT.test(line) && line.length > MAX_LENGTH ? `${path}:${index + 1}` : [],
      ),
  )
  assert.deepEqual(long, [])
})

/** A line of a text: a string alone, or a key or a call with a string, e.g. `description: '…' +`. Not of SQL. */
const TEXT =
  /^\s*(?:[\w.]+: |\w[\w.]*\(|return |(?:export )?const \w+ = |\? |: )*(?:(['"]).* .*\1|(?<=: |^\s*)`(?!.*\b(?:select|is null|case when)\b).* .*`)(?: \+|,|\)|\()*$/

const isLongText = (line: string): boolean => line.length > MAX_LENGTH && TEXT.test(line)

test('control: the rule finds long lines of texts', () => {
  const words = 'word '.repeat(30)
  for (const line of [
    `'${words}' +`,
    `  description: "${words}",`,
    `  summary: \`${words}\`,`,
    `  \`${words}\`,`,
    `fail('${words}')`,
  ])
    assert.ok(isLongText(line), line)
  for (const line of [
    `  and exists (${words})`,
    `  sql: \`select ${words}\`,`,
    `/${words}/,`,
    "  'a short text',",
  ])
    assert.ok(!isLongText(line), line)
})

test('no line of a text has more than 120 characters', async () => {
  const files = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  const long = files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (isLongText(line) ? `${path}:${index + 1}` : [])),
  )
  assert.deepEqual(long, [])
})

test('sources and guides state a rule or cite a public standard, never a document that the repository lacks', async () => {
  const guides = await Promise.all(
    (await Array.fromAsync(glob('*.md'))).map(async (path) => ({ path, text: await readFile(path, 'utf8') })),
  )
  const citing = [...sources, ...guides]
    .filter(({ text }) => UNAVAILABLE_DOCUMENT.test(text))
    .map(({ path }) => path)
  assert.deepEqual(citing, [])
})

/** The docstring of a function whose name starts in lower case; builders of schemas have a capital. */
const FUNCTION_DOCSTRING =
  /^\/\*\*\s+(?:\* )?(\S(?:(?!\*\/)[\s\S])*)\*\/\n(?:export )?(?:(?:async )?function\*? ([a-z]\w*)|const ([a-z]\w*) =\s+(?:async )?(?:<[^>]*>)?\()/gm

/** The functions whose docstring starts with a noun, so that it does not say what they do. */
const describedByNoun = (text: string): string[] =>
  [...text.matchAll(FUNCTION_DOCSTRING)]
    .filter(([, docstring = '']) => /^(?:The|An?|One page)\b/.test(docstring))
    .map(([, , name, constant]) => name ?? constant ?? '')

test('control: the rule finds a docstring that starts with a noun', () => {
  const code = `/** The orders of a customer. */
export const findOrders = (tx: StoreTx) => Order.in(tx)

/** Returns the orders of a customer. */
export async function listOrders() {}

/** A card. */
export interface Card {}
`
  assert.deepEqual(describedByNoun(code), ['findOrders'])
})

test('the docstring of a function starts with its verb', async () => {
  const source = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  const wrong = source.flatMap(({ path, text }) => describedByNoun(text).map((name) => `${path}: ${name}`))
  assert.deepEqual(wrong, [], 'start it with Returns, Finds, Creates or another verb')
})

test('a docstring says in one form that the caller has locked a row', () => {
  const other = /which the caller has locked|whom the caller has locked|must be locked\b/
  const wrong = sources
    .filter(({ path, text }) => !path.startsWith('test/') && other.test(text))
    .map(({ path }) => path)
  assert.deepEqual(wrong, [], 'write: The caller has locked the order.')
})
