import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readSources } from './support/sources.ts'

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

test('sources and guides state a rule or cite a public standard, never a document that the repository lacks', async () => {
  const guides = await Promise.all(
    (await Array.fromAsync(glob('*.md'))).map(async (path) => ({ path, text: await readFile(path, 'utf8') })),
  )
  const citing = [...sources, ...guides]
    .filter(({ text }) => UNAVAILABLE_DOCUMENT.test(text))
    .map(({ path }) => path)
  assert.deepEqual(citing, [])
})
