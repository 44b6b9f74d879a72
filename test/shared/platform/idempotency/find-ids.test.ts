import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#shared/platform/db/id.ts'
import { findIds } from '#shared/platform/idempotency/find-ids.ts'

const ids = Array.from({ length: 5 }, () => newId())
const [a = '', b = ''] = ids

const TEXTS: Record<string, [text: string, expected: string[]]> = {
  'ids in JSON, each once': [JSON.stringify({ ids: [...ids, a], text: JSON.stringify({ id: a }) }), ids],
  'an id at the start and at the end': [`${a} ${b}`, [a, b]],
  'an id between other hexadecimal digits and dashes': [`ab${a}ab--${b}--`, [a, b]],
  'ids without a gap': [`${a}${b}`, [a, b]],
  'no id in upper case, or cut at either end': [`${a.toUpperCase()} ${a.slice(1)} ${a.slice(0, -1)}`, []],
  'no id in dashes, digits or nothing': [`${'-'.repeat(99)} ${'abcd-'.repeat(99)} ${'0'.repeat(99)}`, []],
  'no id in a short text': ['', []],
}

for (const [name, [text, expected]] of Object.entries(TEXTS))
  test(`finds ${name}`, () => {
    assert.deepEqual([...findIds(text)], expected)
  })
