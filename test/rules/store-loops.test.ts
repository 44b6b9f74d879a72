import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankComments, lineOf } from '#test/rules/support/source-text.ts'
import { readSources } from '#test/rules/support/sources.ts'

/** The loops over stores in which an error of one store ends the work for all, and why. */
const FAIL_TOGETHER: Record<string, string> = {
  'shared/audit/read-store-log.ts': 'reads one page of a list for one request',
  'workers/reconciliation/flag-payments.ts': 'the last loops of it only pass on what was compared',
  'workers/secrets/scopes.ts': 'the command that uses it must not say that a key can be removed',
}

const LOOP = /\bfor (?:await )?\((?:const|let) ([^\n]*?) of ([^\n]*)/g
const STORE_VARIABLE = /\bstoreId\b/
const STORES = /\b(?:stores|storeIds)\)|\b(?:walkStoreIds|listStoreSlugs)\(/

interface Loop {
  path: string
  line: number
  isIsolated: boolean
}

/** A loop is isolated if its first lines pass the work of each store to `runForStore`. */
function loopsOf({ path, text }: { path: string; text: string }): Loop[] {
  const code = blankComments(text)
  return [...code.matchAll(LOOP)]
    .filter(([, variable = '', source = '']) => STORE_VARIABLE.test(variable) || STORES.test(source))
    .map(({ index }) => {
      const line = lineOf(code, index)
      const body = code.split('\n').slice(line - 1, line + 4)
      return { path, line, isIsolated: /\brunForStore\(|\benqueueForStores\(/.test(body.join('\n')) }
    })
}

const loops = (await Promise.all(['shared', 'workers'].map(readSources))).flat().flatMap(loopsOf)

test("a loop over stores keeps one store's error from the others", () => {
  const unsafe = loops.filter(({ path, isIsolated }) => !isIsolated && !(path in FAIL_TOGETHER))

  assert.deepEqual(unsafe, [])
})

test('control: the rule finds the loops over stores, and the exceptions are loops', () => {
  assert.ok(loops.filter(({ isIsolated }) => isIsolated).length >= 8, JSON.stringify(loops))
  for (const path of Object.keys(FAIL_TOGETHER))
    assert.ok(
      loops.some((loop) => loop.path === path),
      path,
    )
})
