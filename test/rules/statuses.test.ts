import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankComments } from '#test/rules/support/source-text.ts'
import { readSources } from '#test/rules/support/sources.ts'

const folders = await Promise.all(['api', 'shared', 'workers'].map(readSources))
const sources = folders.flat().map(({ path, text }) => ({ path, text: blankComments(text) }))

const wordsOf = (list: string): string[] => [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)

/** Whether a file declares the statuses of a subject, and so may declare parts of them. */
const declaresStatuses = (text: string): boolean => /export const \w*STATUSES = \[/.test(text)

const allStatuses: string[][] = sources.flatMap(({ text }) =>
  [...text.matchAll(/export const \w*STATUSES = \[([^\]]*)\] as const\n/g)].map(([, list = '']) =>
    wordsOf(list),
  ),
)

/** Finds `status in ('failed', 'canceled')` in SQL, and arrays of two or more statuses of one subject in code. */
function findSets(text: string): string[] {
  const inSql = [...text.matchAll(/\bstatus (?:not )?in \('[^)]*\)/g)].map(([all]) => all)
  const inCode = [...text.matchAll(/\[\s*'\w+'(?:,\s*'\w+')+,?\s*\]/g)]
    .map(([all]) => all)
    .filter((list) => allStatuses.some((statuses) => wordsOf(list).every((word) => statuses.includes(word))))
  return [...inSql, ...inCode]
}

test('control: the rule finds a set of statuses in SQL and in code', () => {
  for (const code of [
    "where r.status not in ('failed', 'canceled')",
    "Refund.in(tx).whereIn('status', ['failed', 'canceled'])",
    "const OPEN: OrderStatus[] = [\n  'pending',\n  'processing',\n]",
  ])
    assert.equal(findSets(code).length, 1, code)
  assert.deepEqual(findSets("const COLUMNS = ['status', 'created_at']"), [])
})

// The reconciliation repeats sets, because it checks the code that uses them.
test('only the file with the statuses of a subject lists some of them', () => {
  const offences = sources
    .filter(({ path, text }) => !path.startsWith('shared/reconciliation/') && !declaresStatuses(text))
    .flatMap(({ path, text }) => findSets(text).map((set) => `${path}: ${set}`))
  assert.deepEqual(offences, [])
})
